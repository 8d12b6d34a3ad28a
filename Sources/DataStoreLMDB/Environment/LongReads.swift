import DataStoreCore

/// A detector of long-running reads of a store. It examines the active reads periodically, so that a read need not
/// query the clock.
struct LongReads {
    let pool: ReaderPool
    let threshold: Duration
    let report: @Sendable (LMDBDataStore.Event) -> Void

    /// The reads that were active at the last check, each under the identity of its reader. `use` distinguishes the
    /// reads of one reader. `since` is the time of the check that first found the read, and `next` is the age at which
    /// the read is reported next.
    private var seen: [ObjectIdentifier: (use: UInt64, since: ContinuousClock.Instant, next: Duration)] = [:]

    init(
        _ pool: ReaderPool, threshold: Duration, _ report: @escaping @Sendable (LMDBDataStore.Event) -> Void
    ) {
        self.pool = pool
        self.threshold = threshold
        self.report = report
    }

    /// Returns the ages of the reads to report now. A read is reported at the threshold, and again whenever its age has
    /// doubled.
    mutating func ages(_ now: ContinuousClock.Instant) -> [Duration] {
        var ages: [Duration] = []
        let before = seen
        seen = [:]
        for (reader, use) in pool.activeUses() {
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
