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
    }

    private let body: @Sendable (inout WriteTransaction) throws -> Void
    private let state = Mutex(State())

    init(_ body: @escaping @Sendable (inout WriteTransaction) throws -> Void) { self.body = body }

    func wait(_ continuation: CheckedContinuation<Void, any Error>) {
        state.withLock { $0.continuation = continuation }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Runs the closure of the write in a transaction.
    ///
    /// - Throws: The error of the closure, or `CancellationError` if the task was cancelled before the run.
    package func run(in backend: any NativeWriteBackend) throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
        var transaction = WriteTransaction(native: backend)
        try body(&transaction)
    }

    /// Resumes the waiting task after the commit.
    package func succeed() { takeContinuation()?.resume() }

    /// Resumes the waiting task with an error.
    package func fail(with error: any Error) { takeContinuation()?.resume(throwing: error) }

    private func takeContinuation() -> CheckedContinuation<Void, any Error>? {
        state.withLock { $0.continuation.take() }
    }
}

/// The result of the last run of a write's closure. The writer thread stores it, and the waiting task reads it.
final class WriteResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    func get() throws(DataStoreError) -> Value {
        guard let value = value.withLock(\.self) else {
            throw DataStoreError(.inputOutput, "the store did not run the write")
        }
        return value
    }
}
