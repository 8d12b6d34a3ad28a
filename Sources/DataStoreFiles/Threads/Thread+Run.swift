import DataStoreCore
import SystemPackage

extension Thread {
    /// Runs a closure on a new thread and waits for its result, so that long work does not block a thread of the
    /// cooperative pool. The closure can check whether the calling task was cancelled.
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
