import DataStoreCore
import DataStoreFiles
import Synchronization

/// The only thread of this process that writes to an environment. It takes all pending writes, commits them together,
/// and waits for more.
///
/// The thread starts with the first write, or when a store reports events.
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

    /// The number of checks without a new write after which the thread stops waiting for the callers of the last batch.
    private static let maximumIdleYields = 4

    private let queue = WriteQueue()
    private let state = Monitor(State())
    private let isStarted = Atomic(false)
    private let hasWork = Atomic(false)
    private let isSleeping = Atomic(false)

    init(_ commits: GroupCommit, _ maintenance: Maintenance) {
        self.commits = commits
        self.maintenance = maintenance
    }

    /// Runs a closure in a write transaction, and returns when the change is durable.
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

    /// Rejects new writes, commits pending writes, and then calls `whenEnded`. The call is on the writer thread, or
    /// immediate if the thread never started.
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
        var lastCount = 0
        while true {
            let wake = next()
            if lastCount > 1 { gather(lastCount) }
            let writes = queue.takeAll()
            lastCount = writes.count
            if !writes.isEmpty { commits.run(writes, report: maintenance.report) }
            if case .ended(let whenEnded) = wake {
                commits.flush()
                return whenEnded()
            }
            maintenance.run()
        }
    }

    /// Waits for the callers of the last batch to write again, while further writes arrive. A write that misses a
    /// commit would wait for two commits.
    private func gather(_ expectedCount: Int) {
        var (count, idleYields) = (queue.count, 0)
        while count < expectedCount, idleYields < WriterThread.maximumIdleYields {
            Thread.yield()
            let now = queue.count
            idleYields = now == count ? idleYields + 1 : 0
            count = now
        }
    }

    /// Waits for work or for the end of the thread. Returns `nil` when maintenance is due.
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
