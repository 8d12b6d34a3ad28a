package import DataStoreCore
import DataStoreMemory

extension PostgresDataStore: SnapshotStore {
    /// Runs a closure on one snapshot of the store, on the current thread and with a new connection. Call the function
    /// only on a thread that may block.
    package func snapshot<Result: Sendable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        let deadline = ContinuousClock.now + options.timeout
        do {
            let link = ServerLink(target, for: .reading, options)
            let connection = try link.connected(until: deadline)
            guard connection.format != nil else {
                return try body(ReadTransaction(native: RecordTreeTransaction(RecordTree())))
            }
            let transaction = ServerTransaction(link, connection, deadline: deadline)
            defer { transaction.end() }
            return try body(ReadTransaction(native: SnapshotReader(transaction)))
        } catch let error as DataStoreError {
            throw error.adding(operation: "read the store", path: path)
        }
    }
}
