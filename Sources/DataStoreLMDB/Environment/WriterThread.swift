import DataStoreCore

/// The one thread that writes to an environment in this process: it takes all writes that wait, has them committed
/// together, and waits for more. It starts with the first write, or where something is to be watched.
final class WriterThread: Sendable {
    private struct State {
        var hasWork = false
        var isStarted = false
        var whenEnded: (@Sendable () -> Void)?
    }

    private enum Wake {
        case work
        case ended(@Sendable () -> Void)
    }

    let commits: GroupCommit
    let maintenance: Maintenance
    private let queue = WriteQueue()
    private let state = Monitor(State())

    init(_ commits: GroupCommit, _ maintenance: Maintenance) {
        self.commits = commits
        self.maintenance = maintenance
    }

    /// Runs a closure in a transaction and returns when it is durable.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try start()
        return try await queue.submit(body) { state.withLock { $0.hasWork = true } }
    }

    /// Refuses new writes, commits those that wait and then calls back: on the thread, or at once where there is none.
    func end(whenEnded: @escaping @Sendable () -> Void) {
        queue.close()
        let isStarted = state.withLock { state in
            if state.isStarted { state.whenEnded = whenEnded }
            return state.isStarted
        }
        if !isStarted { whenEnded() }
    }

    /// Starts the thread where it does not run yet.
    func start() throws(DataStoreError) {
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
        }
    }

    private func run() {
        while true {
            let wake = state.wait(atMost: maintenance.pace) { state -> Wake? in
                if state.hasWork {
                    state.hasWork = false
                    return .work
                }
                return state.whenEnded.map { .ended($0) }
            }
            let jobs = queue.takeAll()
            if !jobs.isEmpty { commits.run(jobs, report: maintenance.report) }
            if case .ended(let whenEnded) = wake {
                commits.flush()
                return whenEnded()
            }
            maintenance.run()
        }
    }
}
