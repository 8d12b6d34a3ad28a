package import DataStoreCore
import Synchronization

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
    private enum State {
        case notStarted, running
        /// The thread commits the last writes, ends, and then calls the closures.
        case ending([@Sendable () -> Void])
        case ended
    }

    private let queue: WriteQueue
    private let spinCount: Int
    private let makeCommitter: @Sendable () -> any WriteCommitter
    private let state = Monitor(State.notStarted)
    private let isStarted = Atomic(false)
    private let hasWork = Atomic(false)
    private let isSleeping = Atomic(false)

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
        if isStarted.load(ordering: .acquiring) { return }
        try state.withLock { state throws(DataStoreError) in
            guard case .notStarted = state else { return }
            try Thread.start("start the writer thread") { self.run() }
            state = .running
            isStarted.store(true, ordering: .releasing)
        }
    }

    /// Wakes the thread, so that it checks for work and for a new maintenance interval.
    package func wake() {
        // Both sides use sequentially consistent operations. Either this thread sees that the writer sleeps, or the
        // writer sees the work.
        hasWork.store(true, ordering: .sequentiallyConsistent)
        if isSleeping.load(ordering: .sequentiallyConsistent) { state.change { _ in } }
    }

    /// Rejects new writes, commits pending ones, ends the thread, and then calls `whenEnded`: on the writer thread, or
    /// on the current thread if the writer thread does not run.
    package func end(whenEnded: @escaping @Sendable () -> Void = {}) {
        queue.close()
        let isRunning = state.change { state in
            switch state {
            case .notStarted, .ended:
                state = .ended
                return false
            case .running: state = .ending([whenEnded])
            case .ending(let others): state = .ending(others + [whenEnded])
            }
            return true
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
        let closures: [@Sendable () -> Void] = state.withLock { state in
            if case .ending(let closures) = exchange(&state, with: .ended) { closures } else { [] }
        }
        for whenEnded in closures { whenEnded() }
    }

    /// Waits for work, up to a maximum time, and returns whether the thread must end.
    private func waitForWork(atMost time: Duration?) -> Bool {
        for _ in 0..<spinCount {
            if hasWork.exchange(false, ordering: .sequentiallyConsistent) { return false }
            Thread.yield()
        }
        isSleeping.store(true, ordering: .sequentiallyConsistent)
        defer { isSleeping.store(false, ordering: .sequentiallyConsistent) }
        let isEnding = state.wait(atMost: time) { state -> Bool? in
            if hasWork.exchange(false, ordering: .sequentiallyConsistent) { return false }
            if case .ending = state { return true }
            return nil
        }
        return isEnding ?? false
    }
}
