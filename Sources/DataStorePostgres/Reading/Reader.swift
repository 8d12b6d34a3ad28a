import DataStoreCore
import DataStoreMemory

/// A connection that reads, with the thread on which it waits for the server. It runs one read at a time.
actor Reader {
    private let thread: ReaderThread
    private let link: ServerLink

    // The actor retains its executor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    init(_ target: ConnectionTarget, _ options: PostgresDataStore.Options) throws(DataStoreError) {
        thread = try ReaderThread()
        link = ServerLink(target, for: .reading, options)
    }

    deinit { thread.end() }

    /// Connects to the server, and returns whether the store exists.
    func open(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> Bool {
        try connected(until: deadline).format != nil
    }

    /// Runs a closure on a snapshot of the store. If the store does not exist, the snapshot is empty.
    func read<Result: Sendable>(
        until deadline: ContinuousClock.Instant, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        let connection = try connected(until: deadline)
        guard connection.format != nil else {
            return try body(ReadTransaction(native: RecordTreeTransaction(RecordTree())))
        }
        let transaction = ServerTransaction(link, connection, deadline: deadline)
        defer { transaction.end() }
        return try body(ReadTransaction(native: SnapshotReader(transaction)))
    }

    /// Returns the sum of the generations of all writers, or 0 if the store does not exist.
    func generation(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> UInt64 {
        let connection = try connected(until: deadline)
        guard connection.format != nil else { return 0 }
        let transaction = ServerTransaction(link, connection, deadline: deadline)
        defer { transaction.end() }
        let found = try transaction.query(.generation, Parameters())
        return UInt64(bitPattern: found.count > 0 ? found.integer(0, 0) : 0)
    }

    /// Returns the connection. If the store did not exist when it was last looked up, looks it up again.
    private func connected(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> Connection {
        while true {
            let connection = try link.connected(until: deadline)
            if connection.format != nil { return connection }
            do {
                try connection.reset()
                try connection.describe(link.target.schema)
                try connection.verifyFormat()
                return connection
            } catch let error as PostgresError {
                guard error.isConnectionLost, .now < deadline else {
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
