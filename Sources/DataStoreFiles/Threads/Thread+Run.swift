import DataStoreCore

extension Thread {
    /// Runs a closure on a thread of its own and returns what it returns: what takes long must not keep one of the few
    /// threads that all tasks share.
    package static func run<Result: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let code = SystemThread.start {
                    continuation.resume(
                        with: Swift.Result {
                            try cancellation.check()
                            return try body(cancellation)
                        })
                }
                guard code != 0 else { return }
                continuation.resume(
                    throwing: DataStoreError(
                        .inputOutput, "no thread can be started", operation: "start a thread", errno: code))
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
