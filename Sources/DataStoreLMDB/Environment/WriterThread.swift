import DataStoreCore
import DataStoreSystem
import Synchronization

/// The only thread of this process that writes to an environment. It takes all pending writes, commits them together,
/// and waits for more.
///
/// The thread starts when the first write begins, or when a store with a `report` closure opens the environment.
final class WriterThread: Sendable {
    private struct State {
        var isStarted = false
        var whenEnded: (@Sendable () -> Void)?
    }

    private enum Wake {
        case work
        case ended(@Sendable () -> Void)
    }

    let commits: GroupCommit
    let maintenance: Maintenance
    /// The number of times that the thread yields and checks for work before it sleeps. Waking the thread takes longer
    /// than most pauses between two writes.
    private static let spinCount = 40

    private let queue: WriteQueue
    private let state = Monitor(State())
    private let isStarted = Atomic(false)
    private let hasWork = Atomic(false)
    private let isSleeping = Atomic(false)

    init(_ commits: GroupCommit, _ maintenance: Maintenance) {
        self.commits = commits
        self.maintenance = maintenance
        queue = WriteQueue(timeout: commits.lockTimeout)
    }

    /// Runs a closure in a write transaction, and returns its result after the commit.
    @inline(__always)
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try start()
        return try await queue.submit(body) { wake() }
    }

    /// Wakes the thread, so that it checks for work and for a new maintenance interval.
    func wake() {
        // Both sides use sequentially consistent operations. Either this thread sees that the writer sleeps, or the
        // writer sees the work.
        hasWork.store(true, ordering: .sequentiallyConsistent)
        if isSleeping.load(ordering: .sequentiallyConsistent) { state.change { _ in } }
    }

    /// Rejects new writes, commits pending writes, and then calls `whenEnded`. `whenEnded` runs on the writer thread,
    /// or on the current thread if the writer thread never started.
    func end(whenEnded: @escaping @Sendable () -> Void) {
        queue.close()
        let isStarted = state.change { state in
            if state.isStarted { state.whenEnded = whenEnded }
            return state.isStarted
        }
        if !isStarted { whenEnded() }
    }

    /// Starts the thread unless it is running.
    func start() throws(DataStoreError) {
        if isStarted.load(ordering: .acquiring) { return }
        try state.withLock { state throws(DataStoreError) in
            guard !state.isStarted else { return }
            // The thread retains this object until it ends.
            let code = Thread.start { self.run() }
            guard code == 0 else {
                throw DataStoreError.noThread(code, "start the writer thread")
            }
            state.isStarted = true
            isStarted.store(true, ordering: .releasing)
        }
    }

    private func run() {
        var expected: ExpectedWrites?
        while true {
            let wake = next()
            let writes = queue.takeAll()
            if !writes.isEmpty {
                let start = ContinuousClock.now
                var (resumedCount, pendingCount) = (0, 0)
                commits.run(
                    writes, arrivals: { expected?.arrivals(in: queue, after: $0) ?? [] },
                    willResume: { count in
                        resumedCount += count
                        pendingCount = queue.count
                    }, report: maintenance.report)
                expected = ExpectedWrites(count: resumedCount + pendingCount, after: ContinuousClock.now - start)
            }
            if case .ended(let whenEnded) = wake {
                commits.flush()
                return whenEnded()
            }
            maintenance.run()
        }
    }

    /// Waits for work or for a request to end the thread. Returns `nil` if maintenance is due before either arrives.
    private func next() -> Wake? {
        for _ in 0..<WriterThread.spinCount {
            if hasWork.exchange(false, ordering: .sequentiallyConsistent) { return .work }
            Thread.yield()
        }
        isSleeping.store(true, ordering: .sequentiallyConsistent)
        defer { isSleeping.store(false, ordering: .sequentiallyConsistent) }
        return state.wait(atMost: maintenance.interval) { state -> Wake? in
            if hasWork.exchange(false, ordering: .sequentiallyConsistent) { return .work }
            // The closure is removed from the state, because it retains the environment, which retains this object.
            return state.whenEnded.take().map { .ended($0) }
        }
    }
}
