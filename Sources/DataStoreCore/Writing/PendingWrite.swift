import Synchronization

/// The implementation of ``WriteJob``. ``WriteQueue`` does not know its result type.
final class PendingWrite<Result: Sendable>: WriteJob {
    private struct State {
        var isCancelled = false
        var result: Result?
        var continuation: CheckedContinuation<Result, any Error>?
    }

    private let body: @Sendable (inout WriteTransaction) throws -> Result
    private let state = Mutex(State())

    init(_ body: @escaping @Sendable (inout WriteTransaction) throws -> Result) { self.body = body }

    func wait(_ continuation: CheckedContinuation<Result, any Error>) {
        state.withLock { $0.continuation = continuation }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    func run(in backend: any NativeWriteBackend) throws {
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
        var transaction = WriteTransaction(native: backend)
        let result = try body(&transaction)
        state.withLock { $0.result = result }
    }

    func succeed() {
        let (continuation, result) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.continuation, state.result)
        }
        guard let result else { return }
        continuation?.resume(returning: result)
    }

    func fail(with error: any Error) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(throwing: error)
    }
}
