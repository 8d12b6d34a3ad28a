import Synchronization

/// The pending writes of a store, in order of arrival. The writer takes many of them at once, so that concurrent
/// saves share a commit.
package final class WriteQueue: Sendable {
    private struct State {
        var pending: [PendingWrite] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Enqueues a write and waits until it is committed or rejected.
    ///
    /// - Parameters:
    ///   - body: The closure of the write.
    ///   - wake: A closure that wakes the writer. It is called after the write is enqueued.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, `CancellationError` if the task was cancelled before the closure ran, or a
    ///   `DataStoreError` if the store fails. The code is `closed` if the queue is closed.
    package func submit<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result, wake: () -> Void
    ) async throws -> Result {
        try Task.checkCancellation()
        let write = PendingWrite { transaction in try body(&transaction) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                write.wait(continuation)
                let isAccepted = state.withLock { state in
                    if !state.isClosed { state.pending.append(write) }
                    return !state.isClosed
                }
                if isAccepted { wake() } else { write.fail(with: DataStoreError.closed()) }
            }
        } onCancel: {
            write.cancel()
        }
        guard let result = write.result as? Result else {
            throw DataStoreError(.inputOutput, "the store did not run the write")
        }
        return result
    }

    /// The number of pending writes.
    package var count: Int { state.withLock { $0.pending.count } }

    /// Removes and returns all pending writes.
    package func takeAll() -> [PendingWrite] { take(atMost: .max) }

    /// Removes and returns the first pending writes, up to a maximum number.
    package func take(atMost count: Int) -> [PendingWrite] {
        state.withLock { state in
            var taken = state.pending
            state.pending = []
            if taken.count > count {
                state.pending = Array(taken[count...])
                taken.removeSubrange(count...)
            }
            return taken
        }
    }

    /// Closes the queue. Later writes fail with the code `closed`, but the writer can still take pending writes.
    package func close() { state.withLock { $0.isClosed = true } }
}
