import DataStoreCore

/// Finds the reads of a store that have been under way for long, by looking at them from time to time: the reads
/// themselves need not ask for the time.
struct LongReads {
    let pool: ReaderPool
    let threshold: Duration
    let report: @Sendable (LMDBDataStore.Event) -> Void

    /// Which uses were under way when it was looked last, since when, and from what age on they are told next.
    private var seen: [ObjectIdentifier: (use: UInt64, since: ContinuousClock.Instant, next: Duration)] = [:]

    init(
        _ pool: ReaderPool, threshold: Duration, _ report: @escaping @Sendable (LMDBDataStore.Event) -> Void
    ) {
        self.pool = pool
        self.threshold = threshold
        self.report = report
    }

    /// The ages of reads that are to be told now: past the threshold, or twice as old as when they were told last.
    mutating func ages(_ now: ContinuousClock.Instant) -> [Duration] {
        var ages: [Duration] = []
        let before = seen
        seen = [:]
        for (reader, use) in pool.usesUnderWay() {
            var entry = (use: use, since: now, next: threshold)
            if let known = before[reader], known.use == use { entry = known }
            let age = now - entry.since
            if age >= entry.next {
                ages.append(age)
                entry.next = age * 2
            }
            seen[reader] = entry
        }
        return ages
    }
}
