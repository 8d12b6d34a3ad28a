import DataStoreCore
import DataStoreFiles

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
    private let observers: ChangeObservers
    private let queue = WriteQueue()
    private let state = Monitor(State())

    init(_ target: ConnectionTarget, _ options: PostgresDataStore.Options, _ observers: ChangeObservers) {
        self.target = target
        self.options = options
        self.observers = observers
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
        let commits = GroupCommit(ServerLink(target, for: .writing, options), observers)
        var (expectedCount, lastDuration) = (0, Duration.zero)
        while next() {
            gather(expectedCount, after: lastDuration)
            let writes = queue.takeAll()
            expectedCount = 0
            if !writes.isEmpty {
                let start = ContinuousClock.now
                // Many callers write again immediately after they have been resumed.
                commits.run(writes) { expectedCount = writes.count + queue.count }
                lastDuration = ContinuousClock.now - start
                // The next write of a lone caller does not wait.
                if expectedCount == 1 { expectedCount = 0 }
            }
        }
        // The queue is closed, but a write may have entered it just before.
        commits.run(queue.takeAll()) {}
        let whenEnded = state.withLock { state in
            state.hasEnded = true
            return state.whenEnded
        }
        for callback in whenEnded { callback() }
    }

    /// Waits until the expected number of writes is pending, because a write that misses the next commit must wait
    /// until that commit ends.
    ///
    /// The wait lasts at most a quarter of `commitTime`, the duration of the last commit. It ends early if no write
    /// arrives for an eighth of `commitTime`.
    private func gather(_ expectedCount: Int, after commitTime: Duration) {
        guard expectedCount > 0 else { return }
        let deadline = ContinuousClock.now + commitTime / 4
        var (count, lastArrival) = (queue.count, ContinuousClock.now)
        while count < expectedCount {
            let now = ContinuousClock.now
            guard now < deadline, now - lastArrival <= commitTime / 8 else { return }
            Thread.yield()
            let newCount = queue.count
            if newCount > count { (count, lastArrival) = (newCount, now) }
        }
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
