import DataStoreCore
import Synchronization

/// What the writer thread looks after from time to time: readers whose process was killed, reads that go on for long.
final class Maintenance: Sendable {
    private struct State {
        var watched: [LongReads] = []
        var runCount = 0
    }

    /// After how many runs, most of which follow a commit, readers of killed processes are looked for: what they cost
    /// is the pages that commits cannot use again.
    private static let interval = 64

    private let map: MemoryMap
    private let state = Mutex(State())

    init(map: MemoryMap) { self.map = map }

    /// Has the long reads of a store reported, and what else happens.
    func watch(
        _ pool: ReaderPool, threshold: Duration, _ report: @escaping @Sendable (LMDBDataStore.Event) -> Void
    ) {
        state.withLock { $0.watched.append(LongReads(pool, threshold: threshold, report)) }
    }

    /// How often to look, or nil where nobody wants to know.
    var pace: Duration? {
        state.withLock { state in state.watched.map { max($0.threshold / 4, .milliseconds(1)) }.min() }
    }

    /// Tells all who want to know.
    func report(_ event: LMDBDataStore.Event) {
        for watched in state.withLock(\.watched) { watched.report(event) }
    }

    /// Looks after everything.
    func run() {
        let now = ContinuousClock.now
        let (isDue, ages) = state.withLock { state in
            state.runCount += 1
            let isDue = state.runCount.isMultiple(of: Maintenance.interval)
            state.watched.removeAll { $0.pool.isClosed }
            var ages: [(report: @Sendable (LMDBDataStore.Event) -> Void, age: Duration)] = []
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
