import DataStoreCore
import Synchronization

/// The reader threads of a store, at most `readerCount` of them. If all of them are in use, a read gets a new one. If
/// the maximum is reached, the read waits until a thread becomes free or its time limit passes.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [ReaderThread] = []
        var count = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<ReaderThread, any Error>)] = []
        var lastNumber = 0
        var isClosed = false
        var whenIdle: [@Sendable () -> Void] = []

        /// Counts fewer threads, and returns the closures to call if none is left.
        mutating func forget(_ forgottenCount: Int) -> [@Sendable () -> Void] {
            count -= forgottenCount
            return count == 0 ? exchange(&whenIdle, with: []) : []
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
        let (thread, number) = try state.withLock { state throws(DataStoreError) -> (ReaderThread?, waiter: Int?) in
            if state.isClosed { throw .closed() }
            if let thread = state.idle.popLast() { return (thread, nil) }
            if state.count < connections.options.readerCount {
                state.count += 1
                return (nil, nil)
            }
            state.lastNumber += 1
            return (nil, state.lastNumber)
        }
        if let thread { return thread }
        if let number { return try await wait(number, until: deadline) }
        do throws(DataStoreError) {
            return try ReaderThread(connections)
        } catch {
            let (waiting, whenIdle) = state.withLock { state in
                let whenIdle = state.forget(1)
                // No thread is left that could become free.
                return (state.count == 0 ? exchange(&state.waiting, with: []) : [], whenIdle)
            }
            for waiter in waiting { waiter.continuation.resume(throwing: error) }
            for body in whenIdle { body() }
            throw error
        }
    }

    private func wait(_ number: Int, until deadline: ContinuousClock.Instant) async throws -> ReaderThread {
        let timer = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            fail(number, with: Self.busy)
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<ReaderThread, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    // A thread may have been released since the check.
                    if let thread = state.idle.popLast() { return .success(thread) }
                    if state.isClosed { return .failure(DataStoreError.closed()) }
                    // The timer may have ended already.
                    if .now >= deadline { return .failure(Self.busy) }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
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

    private func release(_ thread: ReaderThread) {
        var whenIdle: [@Sendable () -> Void] = []
        let waiter = state.withLock { state -> CheckedContinuation<ReaderThread, any Error>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            if state.isClosed {
                thread.end()
                whenIdle = state.forget(1)
            } else {
                state.idle.append(thread)
            }
            return nil
        }
        waiter?.resume(returning: thread)
        for body in whenIdle { body() }
    }

    /// Rejects new reads, and ends the threads. Active and waiting reads continue. Calls `whenIdle` after all reads
    /// have ended.
    func close(whenIdle: @escaping @Sendable () -> Void = {}) {
        let (ended, whenIdle) = state.withLock { state in
            state.isClosed = true
            state.whenIdle.append(whenIdle)
            let idle = exchange(&state.idle, with: [])
            return (idle, state.forget(idle.count))
        }
        for thread in ended { thread.end() }
        for body in whenIdle { body() }
    }
}
