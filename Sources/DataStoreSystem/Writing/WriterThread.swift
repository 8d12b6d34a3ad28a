/// What the writer thread of a store does with pending writes. Only that thread calls these functions.
package protocol WriteCommitter {
    /// Commits the writes of a round, and finishes each of them.
    func commit(_ round: WriteRound)

    /// The maximum time between two calls of ``maintain()``, or `nil` if only the calls after each round are needed.
    var maintenanceInterval: Duration? { get }

    /// Runs tasks that are neither urgent nor requested by a caller.
    func maintain()

    /// Runs after the last round, before the thread ends.
    func end()
}

extension WriteCommitter {
    package var maintenanceInterval: Duration? { nil }
    package func maintain() {}
    package func end() {}
}

/// The queue of a store's writes, and the only thread that commits them. The thread takes all pending writes, commits
/// them together, and waits for more. It starts with the first write.
///
/// A store calls ``end(whenEnded:)`` when it is closed or released. The thread retains this object until then.
package final class WriterThread: Sendable {
    private struct State {
        var isRunning = false
        var hasWork = false
        /// Whether the thread ends after it has committed the last writes, or never starts.
        var isEnding = false
        /// The closures to call when the thread has ended.
        var whenEnded: [@Sendable () -> Void] = []

        /// Returns whether the thread must end, or `nil` if it has nothing to do.
        mutating func takeWork() -> Bool? {
            if exchange(&hasWork, with: false) { return false }
            return isEnding ? true : nil
        }
    }

    private let queue: WriteQueue
    private let spinCount: Int
    private let makeCommitter: @Sendable () -> any WriteCommitter
    private let state = Monitor(State())

    /// Creates the queue, without a thread.
    ///
    /// - Parameters:
    ///   - timeout: The time limit of ``DataStoreCore/WriteQueue``.
    ///   - spinCount: The number of times that the thread yields and checks for work before it sleeps. This pays if
    ///     waking the thread takes longer than most pauses between two writes.
    ///   - makeCommitter: A closure that creates the committer. It is called on the writer thread.
    package init(timeout: Duration, spinCount: Int = 0, _ makeCommitter: @escaping @Sendable () -> any WriteCommitter) {
        queue = WriteQueue(timeout: timeout)
        self.spinCount = spinCount
        self.makeCommitter = makeCommitter
    }

    /// Runs a closure in a write transaction, and returns its result after the commit.
    @inline(__always)
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try start()
        return try await queue.submit(body) { wake() }
    }

    /// Starts the thread unless it was started or the queue is closed.
    package func start() throws(DataStoreError) {
        try state.withLock { state throws(DataStoreError) in
            if state.isRunning || state.isEnding { return }
            try Thread.start("start the writer thread") { self.run() }
            state.isRunning = true
        }
    }

    /// Wakes the thread, so that it checks for work and for a new maintenance interval.
    package func wake() { state.change { $0.hasWork = true } }

    /// Rejects new writes, commits pending ones, ends the thread, and then calls `whenEnded`: on the writer thread, or
    /// on the current thread if the writer thread does not run.
    package func end(whenEnded: @escaping @Sendable () -> Void = {}) {
        queue.close()
        let isRunning = state.change { state in
            state.isEnding = true
            if state.isRunning { state.whenEnded.append(whenEnded) }
            return state.isRunning
        }
        if !isRunning { whenEnded() }
    }

    private func run() {
        let committer = makeCommitter()
        var last: WriteRound?
        var isEnding = false
        repeat {
            isEnding = waitForWork(atMost: committer.maintenanceInterval)
            // The queue of an ending thread is closed, so no write can follow these.
            let writes = queue.takeAll()
            if !writes.isEmpty {
                let round = WriteRound(writes, of: queue, after: last)
                committer.commit(round)
                round.finish()
                last = round
            }
            if !isEnding { committer.maintain() }
        } while !isEnding
        committer.end()
        // The state releases the closures, because they may retain an object that retains this one.
        let closures = state.withLock { state in
            state.isRunning = false
            return exchange(&state.whenEnded, with: [])
        }
        for whenEnded in closures { whenEnded() }
    }

    /// Waits for work, up to a maximum time, and returns whether the thread must end.
    private func waitForWork(atMost time: Duration?) -> Bool {
        for _ in 0..<spinCount {
            if let isEnding = state.withLock({ $0.takeWork() }) { return isEnding }
            Thread.yield()
        }
        return state.wait(atMost: time) { $0.takeWork() } ?? false
    }
}
