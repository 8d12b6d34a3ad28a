import Synchronization

/// The pending writes of a store, in order of arrival. The writer takes many of them at once, so that concurrent
/// saves share a commit.
package final class WriteQueue: Sendable {
    private struct State {
        var pending: [PendingWrite] = []
        /// The writes that the writer has taken since it last took all. Some of them may not have begun.
        var taken: [PendingWrite] = []
        var isClosed = false
        var isWatched = false
        /// The write whose closure ran at the last check.
        var running: PendingWrite?
    }

    private let state = Mutex(State())
    private let timeout: Duration

    /// Creates an empty queue.
    ///
    /// - Parameter timeout: The time after which a check finds that a closure runs too long, or at the latest after
    ///   twice this time. The writes that wait for it then fail with the code `busy`.
    package init(timeout: Duration) { self.timeout = timeout }

    /// Enqueues a write and waits until it is committed or rejected.
    ///
    /// - Parameters:
    ///   - body: The closure of the write.
    ///   - wake: A closure that wakes the writer. It is called after the write is enqueued.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, `CancellationError` if the task was cancelled before the closure ran, or a
    ///   `DataStoreError` if the store fails, e.g. with one of these codes:
    ///   - `closed` if the queue is closed.
    ///   - `busy` if the closure of an earlier write does not finish in time.
    ///   - `misuse` if the call comes from the closure of another write in this queue.
    package func submit<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result, wake: () -> Void
    ) async throws -> Result {
        try Task.checkCancellation()
        if PendingWrite.current?.isRunning(in: self) == true {
            throw DataStoreError(
                .misuse,
                "the closure of a write starts another write, for which it would wait for ever; make all changes in "
                    + "one closure, e.g. with a unit of work")
        }
        let write = PendingWrite(in: self) { transaction in try body(&transaction) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard write.wait(continuation) else { return }
                let (isAccepted, startsWatch) = state.withLock { state in
                    guard !state.isClosed else { return (false, false) }
                    state.pending.append(write)
                    // A write that waits for no other one starts no task, so a program that saves one value after
                    // another needs no threads of the concurrency runtime.
                    let isAlone = state.pending.count == 1 && state.taken.allSatisfy(\.isFinished)
                    let startsWatch = !state.isWatched && !isAlone
                    if startsWatch { state.isWatched = true }
                    return (true, startsWatch)
                }
                guard isAccepted else { return write.fail(with: DataStoreError.closed()) }
                wake()
                if startsWatch { watch() }
            }
        } onCancel: {
            write.cancel()
        }
        guard let result = write.takeResult() as? Result else {
            throw DataStoreError(.inputOutput, "the store did not run the write")
        }
        return result
    }

    /// The number of pending writes.
    package var count: Int { state.withLock { $0.pending.count } }

    /// Removes and returns all pending writes. The caller has finished the writes that it took before.
    package func takeAll() -> [PendingWrite] {
        state.withLock { state in
            state.taken = state.pending
            state.pending = []
            return state.taken
        }
    }

    /// Removes and returns the first pending writes, up to a maximum number.
    package func take(atMost count: Int) -> [PendingWrite] {
        state.withLock { state in
            let taken = Array(state.pending.prefix(count))
            state.pending.removeFirst(taken.count)
            state.taken += taken
            return taken
        }
    }

    /// Closes the queue. Later writes fail with the code `closed`, but the writer can still take pending writes.
    package func close() { state.withLock { $0.isClosed = true } }

    /// Rejects writes that wait too long, until no write is waiting. A check of all writes after each time-out costs
    /// less than a timer for each write.
    private func watch() {
        Task.detached { [weak self, timeout] in
            while true {
                // The task is never cancelled.
                do { try await Task.sleep(for: timeout) } catch { return }
                guard let self, self.expireLate() else { return }
            }
        }
    }

    /// Rejects the writes that were already waiting at the last check.
    ///
    /// - Returns: Whether the queue must be checked again.
    private func expireLate() -> Bool {
        let (writes, isBlocked) = state.withLock { state in
            let running = state.taken.first(where: \.isRunning)
            defer { state.running = running }
            return (state.taken + state.pending, running != nil && running === state.running)
        }
        let isWaiting = writes.count { $0.expire(isBlocked: isBlocked) } > 0
        return state.withLock { state in
            // Other writes may have arrived since the check.
            state.isWatched = isWaiting || !state.pending.isEmpty || !state.taken.allSatisfy(\.isFinished)
            if !state.isWatched { state.running = nil }
            return state.isWatched
        }
    }
}
