import DataStoreCore
import DataStoreSystem
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

/// An executor with a thread of its own, on which a reader waits for the server. The thread ends after ``end()``.
final class ReaderThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isEnded = false
    }

    private let state = Monitor(State())

    /// Starts the thread.
    init() throws(DataStoreError) {
        // The thread retains this object until it ends.
        try Thread.start("start a reader thread") { self.run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.change { $0.jobs.append(job) }
    }

    /// Ends the thread after it has run all jobs.
    func end() { state.change { $0.isEnded = true } }

    private func run() {
        while let jobs = next() {
            // The actor that uses this executor enqueues the jobs, so they run here.
            for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    private func next() -> [UnownedJob]? {
        state.wait { state -> [UnownedJob]?? in
            guard state.jobs.isEmpty else {
                defer { state.jobs.removeAll() }
                return .some(state.jobs)
            }
            return state.isEnded ? .some(nil) : nil
        }
    }
}

/// The reads of a reader, one at a time. Only one thread uses a session at a time.
final class ReaderSession {
    private let link: ServerLink
    /// The transaction of the next read, if its first statement was sent in advance.
    private var begun: SnapshotReader?

    init(_ target: ConnectionTarget, _ options: PostgresDataStore.Options, _ idle: IdleConnections) {
        link = ServerLink(target, options, idle)
    }

    /// Returns whether the store exists, after one attempt to connect.
    func exists(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> Bool {
        defer { link.release() }
        return try connected(until: deadline, retrying: false).format != nil
    }

    /// Begins the next read by requesting the record of a key. The function does not wait for the server. If no
    /// connection is open, it does nothing.
    func prefetch(_ key: Key, until deadline: ContinuousClock.Instant) {
        guard let connection = link.current(until: deadline), connection.format != nil else { return }
        let reader = SnapshotReader(ServerTransaction(link, connection, deadline: deadline))
        reader.prefetchRecord(for: key)
        begun = reader
    }

    /// Runs a closure on a snapshot of the store. If the store does not exist, the snapshot is empty.
    func read<Result>(
        until deadline: ContinuousClock.Instant, _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        defer { link.release() }
        let reader: SnapshotReader
        if let begun = begun.take() {
            reader = begun
        } else {
            let connection = try connected(until: deadline)
            guard connection.format != nil else {
                return try body(ReadTransaction(RecordTreeTransaction(RecordTree())))
            }
            reader = SnapshotReader(ServerTransaction(link, connection, deadline: deadline))
        }
        defer { reader.end() }
        return try body(ReadTransaction(reader))
    }

    /// Returns the sum of the generations of all writers, or 0 if the store does not exist.
    func generation(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> UInt64 {
        defer { link.release() }
        let connection = try connected(until: deadline)
        guard connection.format != nil else { return 0 }
        let transaction = ServerTransaction(link, connection, deadline: deadline)
        defer { transaction.end() }
        let found = try transaction.query(.generation, Parameters())
        return UInt64(bitPattern: found.count > 0 ? found.integer(0, 0) : 0)
    }

    /// Returns the connection. If the store did not exist when it was last looked up, looks it up again.
    private func connected(
        until deadline: ContinuousClock.Instant, retrying: Bool = true
    ) throws(DataStoreError) -> Connection {
        while true {
            let connection = try link.connected(until: deadline, retrying: retrying)
            if connection.format != nil { return connection }
            do {
                try connection.describe(link.target.schema)
                return connection
            } catch let error as PostgresError {
                guard retrying, error.isConnectionLost, .now < deadline else {
                    link.discard()
                    throw error.mapped()
                }
            } catch let error as DataStoreError {
                throw error
            } catch {
                throw DataStoreError(.inputOutput, "\(error)", underlying: error)
            }
        }
    }
}
