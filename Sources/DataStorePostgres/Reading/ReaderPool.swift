import DataStoreCore
import Synchronization

/// The readers of a store, at most `readerCount` of them. If all readers are in use, a read gets a new reader. If the
/// maximum is reached, the read waits until a reader becomes free or a deadline passes.
final class ReaderPool: Sendable {
    private struct Waiter {
        let number: Int
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Reader, any Error>
    }

    private struct State {
        var idle: [Reader] = []
        var count = 0
        var waiting: [Waiter] = []
        var lastNumber = 0
        var hasTimer = false
        var isClosed = false
        var whenIdle: [CheckedContinuation<Void, Never>] = []
    }

    private let target: ConnectionTarget
    private let options: PostgresDataStore.Options
    private let idle: IdleConnections
    private let state = Mutex(State())

    init(_ target: ConnectionTarget, _ options: PostgresDataStore.Options, _ idle: IdleConnections) {
        self.target = target
        self.options = options
        self.idle = idle
    }

    /// Passes a reader to a closure, which has exclusive use of it.
    ///
    /// - Throws: The error of the closure, `CancellationError` if the task is cancelled while it waits, or
    ///   `DataStoreError` with one of these codes:
    ///   - `busy` if no reader becomes free before the deadline.
    ///   - `closed` if the pool was closed.
    func withReader<Result>(
        until deadline: ContinuousClock.Instant, _ body: (Reader) async throws -> Result
    ) async throws -> Result {
        let reader = try await acquire(until: deadline)
        defer { release(reader) }
        return try await body(reader)
    }

    private func acquire(until deadline: ContinuousClock.Instant) async throws -> Reader {
        let (reader, number) = try state.withLock { state throws(DataStoreError) -> (Reader?, waiter: Int?) in
            if state.isClosed { throw .closed() }
            if let reader = state.idle.popLast() { return (reader, nil) }
            if state.count < options.readerCount {
                state.count += 1
                return (nil, nil)
            }
            state.lastNumber += 1
            return (nil, state.lastNumber)
        }
        if let reader { return reader }
        if let number { return try await wait(number, until: deadline) }
        do throws(DataStoreError) {
            return try Reader(target, options, idle)
        } catch {
            forgetReader(error)
            throw error
        }
    }

    /// Reduces the number of readers after a reader could not be created. If no reader is left, the waiting reads fail.
    private func forgetReader(_ error: DataStoreError) {
        let (waiting, resumed) = state.withLock { state -> ([Waiter], [CheckedContinuation<Void, Never>]) in
            state.count -= 1
            guard state.count == 0 else { return ([], []) }
            defer {
                state.waiting.removeAll()
                state.whenIdle.removeAll()
            }
            return (state.waiting, state.whenIdle)
        }
        for waiter in waiting { waiter.continuation.resume(throwing: error) }
        for continuation in resumed { continuation.resume() }
    }

    private func wait(_ number: Int, until deadline: ContinuousClock.Instant) async throws -> Reader {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> (Result<Reader, any Error>?, startsTimer: Bool) in
                    if Task.isCancelled { return (.failure(CancellationError()), false) }
                    // A reader may have been released since the check.
                    if let reader = state.idle.popLast() { return (.success(reader), false) }
                    if state.isClosed { return (.failure(DataStoreError.closed()), false) }
                    state.waiting.append(Waiter(number: number, deadline: deadline, continuation: continuation))
                    defer { state.hasTimer = true }
                    return (nil, !state.hasTimer)
                }
                if outcome.startsTimer { Task.detached { await self.expireWaiters() } }
                if let result = outcome.0 { continuation.resume(with: result) }
            }
        } onCancel: {
            let cancelled = state.withLock { state -> Waiter? in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
                return state.waiting.remove(at: index)
            }
            cancelled?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Fails each waiting read when its deadline passes. Returns when no read is waiting.
    private func expireWaiters() async {
        while true {
            let (expired, next) = state.withLock { state -> ([Waiter], ContinuousClock.Instant?) in
                let now = ContinuousClock.now
                let expired = state.waiting.filter { $0.deadline <= now }
                if !expired.isEmpty { state.waiting.removeAll { $0.deadline <= now } }
                let next = state.waiting.map(\.deadline).min()
                if next == nil { state.hasTimer = false }
                return (expired, next)
            }
            for waiter in expired {
                waiter.continuation.resume(
                    throwing: DataStoreError(.busy, "all readers are in use; end other reads and retry"))
            }
            guard let next else { return }
            do {
                try await Task.sleep(until: min(next, .now + .seconds(1)), clock: .continuous)
            } catch { return }
        }
    }

    private func release(_ reader: Reader) {
        let (waiter, resumed) = state.withLock { state -> (Waiter?, [CheckedContinuation<Void, Never>]) in
            if !state.waiting.isEmpty { return (state.waiting.removeFirst(), []) }
            if !state.isClosed {
                state.idle.append(reader)
                return (nil, [])
            }
            state.count -= 1
            guard state.count == 0 else { return (nil, []) }
            defer { state.whenIdle.removeAll() }
            return (nil, state.whenIdle)
        }
        waiter?.continuation.resume(returning: reader)
        for continuation in resumed { continuation.resume() }
    }

    /// Rejects new reads, and ends the threads of idle readers. Active and waiting reads continue.
    func close() {
        let readers = state.withLock { state -> [Reader] in
            state.isClosed = true
            defer {
                state.count -= state.idle.count
                state.idle = []
            }
            return state.idle
        }
        withExtendedLifetime(readers) {}
    }

    /// Waits until all reads have ended. Call ``close()`` first.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.count > 0 { state.whenIdle.append(continuation) }
                return state.count == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}

/// The open connections of a store that no call uses. Readers and the writer take them from here, so a program that
/// does one thing at a time needs one connection.
///
/// A call never waits for a second connection while it holds one. Programs that share a pooler with few connections
/// would otherwise wait for each other.
final class IdleConnections: Sendable {
    private struct State {
        var connections: [Connection] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Removes the connection that was used last.
    ///
    /// - Parameter isWriting: Whether to prefer a connection that has acquired a row of the table `writers`. Otherwise,
    ///   one without a row is preferred.
    /// - Returns: The connection, or `nil` if none is open.
    func take(isWriting: Bool) -> Connection? {
        state.withLock { state in
            let index = state.connections.lastIndex { ($0.slot != nil) == isWriting }
            return index.map { state.connections.remove(at: $0) } ?? state.connections.popLast()
        }
    }

    /// Adds a connection, or closes it if the store is closed. No transaction may be open.
    func add(_ connection: Connection) {
        state.withLock { state in
            if !state.isClosed { state.connections.append(connection) }
        }
    }

    /// Closes all connections, and each later one when it is added.
    func close() {
        let connections = state.withLock { state in
            state.isClosed = true
            defer { state.connections = [] }
            return state.connections
        }
        // Connections are released outside the lock, because closing one may take a while.
        withExtendedLifetime(connections) {}
    }
}
