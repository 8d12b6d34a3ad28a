import Synchronization

/// The writes that wait for a store's writer, in the order they came.
///
/// Whoever commits takes all that wait at once, so saves that come together share a commit.
package final class WriteQueue: Sendable {
    private struct State {
        var jobs: [any WriteJob] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Puts a write in line and waits until it is committed or refused.
    ///
    /// - Parameters:
    ///   - body: the closure of the write.
    ///   - wake: is called when the job is in line, to get a writer going.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure threw, `CancellationError`, or a `DataStoreError`.
    package func submit<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result, wake: () -> Void
    ) async throws -> Result {
        try Task.checkCancellation()
        let write = PendingWrite(body)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                write.wait(continuation)
                let isAccepted = state.withLock { state in
                    if !state.isClosed { state.jobs.append(write) }
                    return !state.isClosed
                }
                if isAccepted { wake() } else { write.fail(with: DataStoreError.closed()) }
            }
        } onCancel: {
            write.cancel()
        }
    }

    /// How many wait.
    package var count: Int { state.withLock(\.jobs.count) }

    /// Takes everything that waits.
    package func takeAll() -> [any WriteJob] {
        state.withLock { state in
            defer { state.jobs.removeAll() }
            return state.jobs
        }
    }

    /// Refuses what comes from now on. What waits already is still to be taken.
    package func close() { state.withLock { $0.isClosed = true } }
}
