import DataStoreCore
import SystemPackage

extension Thread {
    /// Runs a closure on a new thread and waits for its result, so that long work does not block a thread of the
    /// cooperative pool. The closure receives a ``Cancellation``, with which it can check whether the calling task was
    /// cancelled.
    ///
    /// - Throws: The error of the closure, `CancellationError` if the task was cancelled before the closure ran, or
    ///   `DataStoreError` if no thread can be started.
    package static func run<Result: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let code = start {
                    continuation.resume(
                        with: Swift.Result {
                            try cancellation.check()
                            return try body(cancellation)
                        })
                }
                guard code != 0 else { return }
                continuation.resume(throwing: DataStoreError.noThread(code, "start a thread"))
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
