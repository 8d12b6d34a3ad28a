import Synchronization

/// A pending write: its closure, and the task that waits until it is committed.
///
/// A store that commits on its own thread takes writes from a ``WriteQueue``, runs each in a transaction, commits, and
/// then finishes them. It calls ``run(in:)`` any number of times, and then ``succeed()`` or ``fail(with:)`` exactly
/// once.
///
/// It is not generic over the result: looking up generic types at run time would take a tenth of the time of a save.
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

    /// Runs the closure.
    ///
    /// - Throws: What the closure throws, or `CancellationError` if the task was cancelled before the run.
    package func run(in backend: any NativeWriteBackend) throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
        var transaction = WriteTransaction(native: backend)
        try body(&transaction)
    }

    /// Resumes the task.
    package func succeed() { takeContinuation()?.resume() }

    /// Resumes the task with an error.
    package func fail(with error: any Error) { takeContinuation()?.resume(throwing: error) }

    private func takeContinuation() -> CheckedContinuation<Void, any Error>? {
        state.withLock { $0.continuation.take() }
    }
}

/// The result of the last run of a write's closure, handed from the writer to the waiting task.
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
