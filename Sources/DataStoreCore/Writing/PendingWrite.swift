import Synchronization

/// A write that has not been committed yet: its closure, and the task that waits for the commit.
///
/// A store that commits on a separate thread takes writes from a ``WriteQueue``. It calls ``run(in:)`` of each write,
/// possibly several times, and commits. It then calls ``succeed()`` or ``fail(with:)`` exactly once.
///
/// The class is not generic over the result of the closure, because looking up generic types at run time would take a
/// tenth of the time of a save.
package final class PendingWrite: Sendable {
    package typealias Body = @Sendable (inout WriteTransaction) throws -> any Sendable

    private struct State {
        /// The closure, or `nil` after the write has finished.
        var body: Body?
        var hasBegun = false
        var isRunning = false
        /// Whether the write was already waiting at the last check of its queue.
        var isLate = false
        /// The error that the next run throws, or `nil` if the closure may run.
        var rejection: (any Error)?
        var continuation: CheckedContinuation<Void, any Error>?
        var result: (any Sendable)?
        /// The write whose closure has started this one, in another queue. It is released when this write finishes, so
        /// that writes that start each other do not form a chain without end.
        var outer = PendingWrite.current

        /// Releases the closure, and removes and returns the continuation of the waiting task.
        mutating func dropWaiting() -> CheckedContinuation<Void, any Error>? {
            body = nil
            outer = nil
            return continuation.take()
        }
    }

    /// The write whose closure runs in the current task or thread. A task that the closure creates inherits it.
    @TaskLocal static var current: PendingWrite?

    /// The time at which the task began to wait.
    package let submitted = ContinuousClock.now

    private let state: Mutex<State>
    private let queue: ObjectIdentifier

    init(in queue: WriteQueue, _ body: @escaping Body) {
        self.queue = ObjectIdentifier(queue)
        state = Mutex(State(body: body))
    }

    /// Removes and returns the result of the last successful run of the closure, or `nil` if no run has succeeded.
    func takeResult() -> (any Sendable)? { state.withLock { $0.result.take() } }

    /// Returns whether the closure of this write, or of a write that has started it, runs in a queue.
    func isRunning(in queue: WriteQueue) -> Bool {
        let (isRunning, outer) = state.withLock { ($0.isRunning, $0.outer) }
        return isRunning && self.queue == ObjectIdentifier(queue) || outer?.isRunning(in: queue) == true
    }

    /// Sets the continuation of the waiting task.
    ///
    /// - Returns: Whether the write must be enqueued. If `false`, it is already rejected.
    func wait(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let rejection = state.withLock { state in
            if state.rejection == nil { state.continuation = continuation }
            return state.rejection
        }
        if let rejection { continuation.resume(throwing: rejection) }
        return rejection == nil
    }

    /// Rejects the write because its task was cancelled. If the closure has not begun, the waiting task resumes at
    /// once. Otherwise the closure does not run again.
    func cancel() {
        let continuation = state.withLock { state in
            state.rejection = state.rejection ?? CancellationError()
            return state.hasBegun ? nil : state.dropWaiting()
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Whether the waiting task was resumed.
    var isFinished: Bool { state.withLock { $0.body == nil } }

    /// Whether the closure is running.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Notes that the write is waiting, and rejects it if it was already waiting at the previous call and `isBlocked`
    /// is `true`.
    ///
    /// - Returns: Whether the write is still waiting.
    func expire(isBlocked: Bool) -> Bool {
        let error = DataStoreError(
            .busy, "another write of this process has not finished in time; retry, and do not block in a closure")
        let (isWaiting, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Void, any Error>?) in
            guard !state.hasBegun, state.continuation != nil else { return (false, nil) }
            defer { state.isLate = true }
            guard state.isLate, isBlocked else { return (true, nil) }
            state.rejection = error
            return (false, state.dropWaiting())
        }
        continuation?.resume(throwing: error)
        return isWaiting
    }

    /// Runs the closure of the write in the open transaction of a backend. The caller commits the transaction.
    ///
    /// - Returns: The error of the closure, `CancellationError` if the task was cancelled before the run, or `nil`.
    package func runError(in backend: any WriteBackend) -> (any Error)? {
        do {
            let body = try state.withLock { state in
                if let rejection = state.rejection { throw rejection }
                state.hasBegun = true
                state.isRunning = true
                return state.body
            }
            defer { state.withLock { $0.isRunning = false } }
            var transaction = WriteTransaction(backend)
            let result = try PendingWrite.$current.withValue(self) { try body?(&transaction) }
            state.withLock { $0.result = result }
            return nil
        } catch {
            return error
        }
    }

    /// Resumes the waiting task after the commit.
    package func succeed() { state.withLock { $0.dropWaiting() }?.resume() }

    /// Resumes the waiting task with an error.
    package func fail(with error: any Error) { state.withLock { $0.dropWaiting() }?.resume(throwing: error) }
}
