import DataStoreCore

/// The one thread that writes to an environment in this process. It starts with the first write.
///
/// It takes all writes that wait, runs them in one transaction, commits once and answers all. A write whose closure
/// throws is answered with its error and leaves nothing behind: if it had already changed something, the transaction is
/// given up and the others run again without it.
final class WriterThread: Sendable {
    private struct State {
        var hasWork = false
        var isStarted = false
        var whenEnded: (@Sendable () -> Void)?
    }

    private let queue = WriteQueue()
    private let state = Monitor(State())
    private let begin: @Sendable () throws(DataStoreError) -> Writer

    /// A thread whose transactions `begin` makes.
    init(begin: @escaping @Sendable () throws(DataStoreError) -> Writer) { self.begin = begin }

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

    private func start() throws(DataStoreError) {
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
            let whenEnded = state.wait { state -> (@Sendable () -> Void)?? in
                if state.hasWork {
                    state.hasWork = false
                    return .some(nil)
                }
                return state.whenEnded.map { .some($0) }
            }
            commit(queue.takeAll())
            if let whenEnded { return whenEnded() }
        }
    }

    private func commit(_ jobs: [any WriteJob]) {
        var jobs = jobs
        // What a closure threw may follow from what others wrote before it: it is answered when that is committed.
        var refused: [(job: any WriteJob, error: any Error)] = []
        while !jobs.isEmpty {
            do {
                let writer = try begin()
                guard run(&jobs, in: writer, &refused) else { continue }
                if writer.changeCount > 0 { try writer.commit() }
                for job in jobs { job.succeed() }
            } catch {
                for job in jobs + refused.map(\.job) { job.fail(with: error) }
                return
            }
            break
        }
        for (job, error) in refused { job.fail(with: error) }
    }

    /// Runs jobs one after the other. Those that fail leave the list.
    ///
    /// - Returns: whether the transaction has just the changes of the jobs that are left.
    private func run(
        _ jobs: inout [any WriteJob], in writer: Writer, _ refused: inout [(job: any WriteJob, error: any Error)]
    ) -> Bool {
        var left: [any WriteJob] = []
        for (index, job) in jobs.enumerated() {
            let changeCount = writer.changeCount
            do {
                try job.run(in: writer)
                // A closure that went on after a failure of the library has lost writes.
                if let failure = writer.failure { throw failure }
                left.append(job)
            } catch {
                refused.append((job, error))
                guard writer.changeCount == changeCount, writer.failure == nil else {
                    writer.abort()
                    jobs = left + jobs[(index + 1)...]
                    return false
                }
            }
        }
        jobs = left
        return true
    }
}
