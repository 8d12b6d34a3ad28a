import DataStoreCore
import DataStoreSystem

/// The thread of a store that writes to the server. It takes all pending writes, commits them together, and waits for
/// more. It starts with the first write.
final class WriterThread: Sendable {
    private struct State {
        var isStarted = false
        var hasWork = false
        var isEnding = false
        var hasEnded = false
        var whenEnded: [@Sendable () -> Void] = []
    }

    private let target: ConnectionTarget
    private let options: PostgresDataStore.Options
    private let idle: IdleConnections
    private let observers: ChangeObservers
    private let queue: WriteQueue
    private let state = Monitor(State())

    init(
        _ target: ConnectionTarget, _ options: PostgresDataStore.Options, _ idle: IdleConnections,
        _ observers: ChangeObservers
    ) {
        self.target = target
        self.options = options
        self.idle = idle
        self.observers = observers
        queue = WriteQueue(timeout: options.timeout)
    }

    /// Runs a closure in a write transaction, and returns its result after the commit.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try start()
        return try await queue.submit(body) { state.change { $0.hasWork = true } }
    }

    /// Rejects new writes, commits pending writes, and then calls `whenEnded`. `whenEnded` runs on the writer thread,
    /// or on the current thread if the writer thread does not run.
    func end(whenEnded: @escaping @Sendable () -> Void) {
        queue.close()
        let isRunning = state.change { state in
            state.isEnding = true
            let isRunning = state.isStarted && !state.hasEnded
            if isRunning { state.whenEnded.append(whenEnded) }
            return isRunning
        }
        if !isRunning { whenEnded() }
    }

    private func start() throws(DataStoreError) {
        try state.withLock { state throws(DataStoreError) in
            // The queue rejects the write if the store is closed.
            guard !state.isStarted, !state.isEnding else { return }
            // The thread retains this object until it ends.
            let code = Thread.start { self.run() }
            guard code == 0 else { throw DataStoreError.noThread(code, "start the writer thread") }
            state.isStarted = true
        }
    }

    private func run() {
        let commits = GroupCommit(ServerLink(target, options, idle, isWriting: true), observers)
        var expected: ExpectedWrites?
        while next() {
            let writes = queue.takeAll()
            if writes.isEmpty { continue }
            let start = ContinuousClock.now
            var (resumedCount, pendingCount) = (0, 0)
            commits.run(writes) {
                expected?.arrivals(in: queue, after: $0) ?? []
            } willResume: { count in
                resumedCount += count
                pendingCount = queue.count
            }
            let duration = ContinuousClock.now - start
            expected = ExpectedWrites(
                count: resumedCount + pendingCount, atMost: GroupCommit.maximumCount, after: duration)
        }
        // The queue is closed, but a write may have entered it just before.
        commits.run(queue.takeAll(), arrivals: { _ in [] }, willResume: { _ in })
        let whenEnded = state.withLock { state in
            state.hasEnded = true
            return state.whenEnded
        }
        for callback in whenEnded { callback() }
    }

    /// Waits for work, and returns `false` when the thread must end.
    ///
    /// The thread sleeps at once. If it yielded in a loop first, it would occupy a processor, and the server would run
    /// on another one. If that processor sleeps, waking it takes longer than waking this thread.
    private func next() -> Bool {
        state.wait { state -> Bool? in
            if state.hasWork {
                state.hasWork = false
                return true
            }
            return state.isEnding ? false : nil
        }
    }
}
