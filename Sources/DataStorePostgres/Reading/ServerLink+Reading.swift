import DataStoreCore

/// The reads of a store. Each of them takes a connection, and returns it at its end.
extension ServerLink {
    /// Returns whether the store exists, after one attempt to connect.
    func exists(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> Bool {
        defer { release() }
        return try described(until: deadline, retrying: false).format != nil
    }

    /// Begins the next read by requesting the record of a key. The function does not wait for the server. If no
    /// connection is open, it does nothing.
    func prefetch(_ key: Key, until deadline: ContinuousClock.Instant) {
        guard let connection = current(until: deadline), connection.format != nil else { return }
        let reader = ServerTransaction(self, connection, deadline: deadline)
        reader.prefetchRecord(for: key)
        begun = reader
    }

    /// Runs a closure on a snapshot of the store. If the store does not exist, the snapshot is empty.
    func read<Result>(
        until deadline: ContinuousClock.Instant, _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        defer { release() }
        guard let reader = try begun.take() ?? reader(until: deadline) else {
            return try body(ReadTransaction(RecordTreeTransaction(RecordTree())))
        }
        defer { reader.end() }
        return try body(ReadTransaction(reader))
    }

    private func reader(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> ServerTransaction? {
        let connection = try described(until: deadline)
        return connection.format.map { _ in ServerTransaction(self, connection, deadline: deadline) }
    }

    /// Returns the sum of the generations of all writers, or 0 if the store does not exist.
    func generation(until deadline: ContinuousClock.Instant) throws(DataStoreError) -> UInt64 {
        defer { release() }
        let connection = try described(until: deadline)
        guard connection.format != nil else { return 0 }
        let transaction = ServerTransaction(self, connection, deadline: deadline)
        defer { transaction.end() }
        let found = try transaction.query(.generation, Parameters())
        return UInt64(bitPattern: found.count > 0 ? found.integer(0, 0) : 0)
    }

    /// Returns the connection. If the store did not exist when it was last looked up, looks it up again.
    private func described(
        until deadline: ContinuousClock.Instant, retrying: Bool = true
    ) throws(DataStoreError) -> Connection {
        while true {
            let connection = try connected(until: deadline, retrying: retrying)
            if connection.format != nil { return connection }
            do {
                try connection.describe(connections.target.schema)
                return connection
            } catch let error as PostgresError {
                if retrying, error.isConnectionLost, .now < deadline { continue }
                discard()
                throw error.mapped()
            } catch {
                throw .mapped(error)
            }
        }
    }
}
