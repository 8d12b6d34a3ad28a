import DataStoreSystem
import Synchronization

/// The periodic tasks of the writer thread: freeing the reader slots of killed processes, and reporting long-running
/// reads.
final class Maintenance: Sendable {
    /// A store whose active reads are examined periodically, so that a read need not query the clock.
    private struct Watched {
        let pool: ReaderPool
        let threshold: Duration
        let report: @Sendable (LMDBDataStore.Event) -> Void
        /// The reads that were active at the last check, each under the identity of its reader. `use` distinguishes the
        /// reads of one reader. `since` is the time of the check that first found the read, and `next` is the age at
        /// which the read is reported next.
        var seen: [ObjectIdentifier: (use: UInt64, since: ContinuousClock.Instant, next: Duration)] = [:]

        /// Returns the ages of the reads to report now. A read is reported at the threshold, and again whenever its age
        /// has doubled.
        mutating func ages(_ now: ContinuousClock.Instant) -> [Duration] {
            var ages: [Duration] = []
            let before = exchange(&seen, with: [:])
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

    /// The number of runs between two searches for readers of killed processes. Searches are rare, because they are not
    /// urgent: the reader of a killed process only prevents the reuse of some pages.
    private static let runsPerSearch = 64

    private let raw: RawEnvironment
    private let state = Mutex((watched: [Watched](), runCount: 0))

    init(_ raw: RawEnvironment) { self.raw = raw }

    /// Passes the events of the environment to `report` from now on.
    ///
    /// - Parameters:
    ///   - pool: The reader pool of the store, which is searched for long-running reads.
    ///   - threshold: The duration after which a running read is reported.
    ///   - report: A closure that receives the events.
    func watch(_ pool: ReaderPool, threshold: Duration, _ report: @escaping @Sendable (LMDBDataStore.Event) -> Void) {
        state.withLock { $0.watched.append(Watched(pool: pool, threshold: threshold, report: report)) }
    }

    /// The maximum time between two runs, or `nil` if no open store has a `report` closure, so that no run is needed.
    var interval: Duration? {
        state.withLock { state in state.watched.map { max($0.threshold / 4, .milliseconds(1)) }.min() }
    }

    /// Runs the tasks that are due.
    func run() {
        let (runCount, watched, ages) = state.withLock { state in
            state.runCount += 1
            state.watched.removeAll { $0.pool.isClosed }
            let now = ContinuousClock.now
            let ages = state.watched.indices.map { state.watched[$0].ages(now) }
            return (state.runCount, state.watched, ages)
        }
        for (store, ages) in zip(watched, ages) { for age in ages { store.report(.longRead(age: age)) } }
        guard runCount.isMultiple(of: Maintenance.runsPerSearch) else { return }
        let count = raw.clearDeadReaders()
        if count > 0 { for store in watched { store.report(.deadReadersCleared(count: count)) } }
    }
}

extension Environment {
    func statistics() throws -> PageStatistics {
        let transactions = raw.readTransactions()
        return try read { snapshot in
            try PageStatistics(of: snapshot, mapByteCount: raw.mapByteCount(), reads: transactions)
        }.get()
    }
}

extension PageStatistics {
    /// Creates the statistics of a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: The state after the last transaction.
    ///   - mapByteCount: The size of the memory map.
    ///   - reads: The transactions whose states running reads see.
    /// - Throws: `DataStoreError` with the code `corrupted` if the free list is damaged.
    init(of snapshot: Snapshot, mapByteCount: Int, reads: [UInt64]) throws(DataStoreError) {
        var walk = SnapshotWalk(snapshot, verifiesRecords: false)
        walk.runFreeList()
        if let finding = walk.findings.first { throw DataStoreError.damaged("\(finding)") }
        try self.init(
            // One record contains the format version of the store and is not counted.
            recordCount: Int(snapshot.meta.records.counts.entries) - 1, byteCount: snapshot.file.byteCount(),
            pageByteCount: snapshot.file.pageSize, pageCount: Int(snapshot.meta.lastPage) + 1,
            freePageCount: walk.free.count, mapByteCount: mapByteCount,
            lastTransaction: UInt64(snapshot.meta.transaction), readCount: reads.count,
            oldestReadTransaction: reads.min())
    }
}
