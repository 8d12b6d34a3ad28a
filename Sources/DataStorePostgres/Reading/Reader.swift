import DataStoreCore
import Synchronization

/// A reader with the thread on which it waits for the server. It runs one read at a time.
actor Reader {
    private let thread: ReaderThread
    // The lock is never contended, because only the task that acquired the reader from its pool uses it.
    private let session: Mutex<ReaderSession>

    // The actor retains its executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    init(
        _ target: ConnectionTarget, _ options: PostgresDataStore.Options, _ idle: IdleConnections
    ) throws(DataStoreError) {
        thread = try ReaderThread()
        session = Mutex(ReaderSession(target, options, idle))
    }

    deinit { thread.end() }

    /// Returns whether the store exists, after one attempt to connect.
    func exists(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> Bool {
        try session.withLock { session throws(DataStoreError) in try session.exists(until: deadline) }
    }

    /// Requests the record of a key for the next read, on the thread of the caller. The server then works while the
    /// thread of the reader wakes up. The function does not wait for the server.
    nonisolated func prefetch(_ key: Key, until deadline: ContinuousClock.Instant) {
        _ = session.withLockIfAvailable { $0.prefetch(key, until: deadline) }
    }

    /// Runs a closure on a snapshot of the store. If the store does not exist, the snapshot is empty.
    func read<Result: Sendable>(
        until deadline: ContinuousClock.Instant, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try session.withLock { session in try session.read(until: deadline, body) }
    }

    /// Returns the sum of the generations of all writers, or 0 if the store does not exist.
    func generation(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> UInt64 {
        try session.withLock { session throws(DataStoreError) in try session.generation(until: deadline) }
    }
}
