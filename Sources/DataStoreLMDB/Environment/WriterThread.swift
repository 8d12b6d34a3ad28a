import DataStoreCore
import DataStoreFiles
import Synchronization

/// The one thread that writes to an environment in this process: it takes all writes that wait, has them committed
/// together, and waits for more. It starts with the first write, or where something is to be watched.
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
    /// How often the thread lets others run and looks for work before it sleeps: to be woken costs more than most
    /// pauses between one save and the next.
    private static let patience = 40

    /// After how many looks without anything new the thread no longer waits for those who were answered together.
    private static let pauses = 4

    private let queue = WriteQueue()
    private let state = Monitor(State())
    private let isStarted = Atomic(false)
    private let hasWork = Atomic(false)
    private let isAsleep = Atomic(false)

    init(_ commits: GroupCommit, _ maintenance: Maintenance) {
        self.commits = commits
        self.maintenance = maintenance
    }

    /// Runs a closure in a transaction and returns when it is durable.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try start()
        return try await queue.submit(body) { wake() }
    }

    /// Has the thread look at what there is to do, and how often to look after things from now on.
    func wake() {
        // Sequentially consistent on both sides: either this sees the thread asleep, or the thread sees the work.
        hasWork.store(true, ordering: .sequentiallyConsistent)
        if isAsleep.load(ordering: .sequentiallyConsistent) { state.change { _ in } }
    }

    /// Refuses new writes, commits those that wait and then calls back: on the thread, or at once where there is none.
    func end(whenEnded: @escaping @Sendable () -> Void) {
        queue.close()
        let isStarted = state.change { state in
            if state.isStarted { state.whenEnded = whenEnded }
            return state.isStarted
        }
        if !isStarted { whenEnded() }
    }

    /// Starts the thread where it does not run yet.
    func start() throws(DataStoreError) {
        if isStarted.load(ordering: .acquiring) { return }
        try state.withLock { state throws(DataStoreError) in
            guard !state.isStarted else { return }
            // The thread keeps this object until it ends.
            let code = Thread.start { self.run() }
            guard code == 0 else {
                throw DataStoreError(
                    .inputOutput, "no thread for writing could be started", errno: code,
                    underlying: LMDBError(code: code))
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
            let jobs = queue.takeAll()
            lastCount = jobs.count
            if !jobs.isEmpty { commits.run(jobs, report: maintenance.report) }
            if case .ended(let whenEnded) = wake {
                commits.flush()
                return whenEnded()
            }
            maintenance.run()
        }
    }

    /// Lets those who were answered together come again together, as long as they keep coming: what comes too late for
    /// a commit waits for two.
    private func gather(_ expectedCount: Int) {
        var (count, pauseCount) = (queue.count, 0)
        while count < expectedCount, pauseCount < WriterThread.pauses {
            Thread.yield()
            let now = queue.count
            pauseCount = now == count ? pauseCount + 1 : 0
            count = now
        }
    }

    /// Waits for work or the end; nil where it is time to look after things.
    private func next() -> Wake? {
        for _ in 0..<WriterThread.patience {
            if hasWork.exchange(false, ordering: .sequentiallyConsistent) { return .work }
            Thread.yield()
        }
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        defer { isAsleep.store(false, ordering: .sequentiallyConsistent) }
        return state.wait(atMost: maintenance.pace) { state -> Wake? in
            if hasWork.exchange(false, ordering: .sequentiallyConsistent) { return .work }
            // Taken out: it holds on to the environment, which holds on to this.
            return state.whenEnded.take().map { .ended($0) }
        }
    }
}
