import DataStoreCore
import SystemPackage

extension Thread {
    /// Runs a closure on a thread of its own, so that long work does not block one of the few threads that all tasks
    /// share.
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
                continuation.resume(throwing: DataStoreError(Errno(rawValue: code), "start a thread"))
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
