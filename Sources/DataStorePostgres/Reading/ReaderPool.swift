import Synchronization

/// The reader threads of a store, at most `readerCount` of them. If all of them are in use, a read gets a new one. If
/// the maximum is reached, the read waits until a thread becomes free or its time limit passes.
final class ReaderPool: Sendable {
    private struct State {
        /// The threads that no read uses.
        var idle: [ReaderThread] = []
        var activeCount = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<ReaderThread, any Error>)] = []
        var lastNumber = 0
        var isClosed = false
        var whenIdle: [@Sendable () -> Void] = []

        /// Begins a read. Returns an idle thread or a new one, or `nil` if the maximum number of reads is active.
        mutating func begin(_ connections: Connections) throws(DataStoreError) -> ReaderThread? {
            if isClosed { throw .closed() }
            guard activeCount < connections.options.readerCount else { return nil }
            let thread = if let thread = idle.popLast() { thread } else { try ReaderThread(connections) }
            activeCount += 1
            return thread
        }

        /// Removes and returns the closures to call if no read is active.
        mutating func takeWhenIdle() -> [@Sendable () -> Void] {
            activeCount == 0 && isClosed ? exchange(&whenIdle, with: []) : []
        }
    }

    private let connections: Connections
    private let state = Mutex(State())

    init(_ connections: Connections) { self.connections = connections }

    /// Runs a closure on a thread, which no other read uses meanwhile.
    ///
    /// - Parameters:
    ///   - key: The key of a record to request before the closure runs, or `nil`.
    ///   - body: A closure that receives the connection and the deadline of the read.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, `CancellationError` if the task is cancelled while it waits, or
    ///   `DataStoreError` with one of these codes:
    ///   - `busy` if no thread becomes free before the deadline.
    ///   - `closed` if the pool was closed.
    func run<Result: Sendable>(
        prefetching key: Key? = nil, _ body: @Sendable (ServerLink, ContinuousClock.Instant) throws -> Result
    ) async throws -> Result {
        let deadline = ContinuousClock.now + connections.options.timeout
        let thread = try await acquire(until: deadline)
        defer { release(thread) }
        if let key { thread.prefetch(key, until: deadline) }
        return try await thread.run { link in try body(link, deadline) }
    }

    private func acquire(until deadline: ContinuousClock.Instant) async throws -> ReaderThread {
        let (begun, number) = try state.withLock { state throws(DataStoreError) in
            state.lastNumber += 1
            return (try state.begin(connections), state.lastNumber)
        }
        if let begun { return begun }
        // Another read must end first.
        let timer = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            fail(number, with: Self.busy)
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    let begun = try state.withLock { state -> ReaderThread? in
                        try Task.checkCancellation()
                        // A read may have ended since the check.
                        if let begun = try state.begin(connections) { return begun }
                        // The timer may have ended already.
                        if .now >= deadline { throw Self.busy }
                        state.waiting.append((number, continuation))
                        return nil
                    }
                    if let begun { continuation.resume(returning: begun) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            fail(number, with: CancellationError())
        }
    }

    private func fail(_ number: Int, with error: any Error) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: error)
    }

    private static var busy: DataStoreError {
        DataStoreError(.busy, "all readers are in use; end other reads and retry")
    }

    /// Ends a read, and passes its thread to the next one.
    private func release(_ thread: ReaderThread) {
        var whenIdle: [@Sendable () -> Void] = []
        let waiter = state.withLock { state -> CheckedContinuation<ReaderThread, any Error>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            state.activeCount -= 1
            if state.isClosed { thread.end() } else { state.idle.append(thread) }
            whenIdle = state.takeWhenIdle()
            return nil
        }
        waiter?.resume(returning: thread)
        for body in whenIdle { body() }
    }

    /// Rejects new reads, and ends the threads. Active and waiting reads continue. Calls `whenIdle` after all reads
    /// have ended.
    func close(whenIdle: @escaping @Sendable () -> Void = {}) {
        let closures = state.withLock { state in
            state.isClosed = true
            state.whenIdle.append(whenIdle)
            for thread in exchange(&state.idle, with: []) { thread.end() }
            return state.takeWhenIdle()
        }
        for body in closures { body() }
    }
}
