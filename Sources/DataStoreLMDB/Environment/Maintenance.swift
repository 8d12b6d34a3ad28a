import DataStoreCore
import Synchronization

/// The periodic tasks of the writer thread: freeing the reader slots of killed processes, and reporting long-running
/// reads.
final class Maintenance: Sendable {
    private struct State {
        var watched: [LongReads] = []
        var runCount = 0
    }

    /// The number of runs between two searches for readers of killed processes. Searches are rare, because they are not
    /// urgent: the reader of a killed process only prevents the reuse of some pages.
    private static let runsPerSearch = 64

    private let map: MemoryMap
    private let state = Mutex(State())

    init(map: MemoryMap) { self.map = map }

    /// Passes the events of the environment to `report` from now on.
    ///
    /// - Parameters:
    ///   - pool: The reader pool of the store, which is searched for long-running reads.
    ///   - threshold: The duration after which a running read is reported.
    ///   - report: A closure that receives the events.
    func watch(
        _ pool: ReaderPool, threshold: Duration, _ report: @escaping @Sendable (LMDBDataStore.Event) -> Void
    ) {
        state.withLock { $0.watched.append(LongReads(pool, threshold: threshold, report)) }
    }

    /// The maximum time between two runs, or `nil` if no open store has a `report` closure, so that no run is needed.
    var interval: Duration? {
        state.withLock { state in state.watched.map { max($0.threshold / 4, .milliseconds(1)) }.min() }
    }

    /// Passes an event to the `report` closure of each store that has one.
    func report(_ event: LMDBDataStore.Event) {
        for watched in state.withLock(\.watched) { watched.report(event) }
    }

    /// Runs the tasks that are due.
    func run() {
        let (isDue, ages) = state.withLock { state in
            state.runCount += 1
            let isDue = state.runCount.isMultiple(of: Maintenance.runsPerSearch)
            var ages: [(report: @Sendable (LMDBDataStore.Event) -> Void, age: Duration)] = []
            if state.watched.isEmpty { return (isDue, ages) }
            let now = ContinuousClock.now
            state.watched.removeAll { $0.pool.isClosed }
            for index in state.watched.indices {
                let report = state.watched[index].report
                ages += state.watched[index].ages(now).map { (report, $0) }
            }
            return (isDue, ages)
        }
        for (report, age) in ages { report(.longRead(age: age)) }
        guard isDue else { return }
        let count = map.raw.clearDeadReaders()
        if count > 0 { report(.deadReadersCleared(count: count)) }
    }
}
