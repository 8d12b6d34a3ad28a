import Synchronization

/// A write that has not been committed yet: its closure, and the task that waits for the commit.
///
/// A store that commits on a separate thread takes writes from a ``WriteQueue``. It calls ``run(in:)`` of each write,
/// possibly several times, and commits. It then calls ``succeed()`` or ``fail(with:)`` exactly once.
///
/// The class is not generic over the result of the closure, because looking up generic types at run time would take a
/// tenth of the time of a save.
package final class PendingWrite: Sendable {
    private struct State {
        var isCancelled = false
        var continuation: CheckedContinuation<Void, any Error>?
        var result: (any Sendable)?
    }

    /// The time at which the task began to wait.
    package let submitted = ContinuousClock.now

    private let body: @Sendable (inout WriteTransaction) throws -> any Sendable
    private let state = Mutex(State())

    init(_ body: @escaping @Sendable (inout WriteTransaction) throws -> any Sendable) { self.body = body }

    /// The result of the last successful run of the closure, or `nil` if no run has succeeded.
    var result: (any Sendable)? { state.withLock { $0.result } }

    func wait(_ continuation: CheckedContinuation<Void, any Error>) {
        state.withLock { $0.continuation = continuation }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Runs the closure of the write in the open transaction of a backend. The caller commits the transaction.
    ///
    /// - Throws: The error of the closure, or `CancellationError` if the task was cancelled before the run.
    package func run(in backend: any NativeWriteBackend) throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
        var transaction = WriteTransaction(native: backend)
        let result = try body(&transaction)
        state.withLock { $0.result = result }
    }

    /// Resumes the waiting task after the commit.
    package func succeed() { takeContinuation()?.resume() }

    /// Resumes the waiting task with an error.
    package func fail(with error: any Error) { takeContinuation()?.resume(throwing: error) }

    private func takeContinuation() -> CheckedContinuation<Void, any Error>? {
        state.withLock { $0.continuation.take() }
    }
}
