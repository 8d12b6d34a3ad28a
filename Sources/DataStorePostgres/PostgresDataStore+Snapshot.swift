public import DataStoreCore

extension PostgresDataStore: ImmediateDataStore {
    @usableFromInline package var waitsForServer: Bool { true }

    /// Runs a closure on one snapshot of the store, on the current thread. Call the function only on a thread
    /// that may block.
    @usableFromInline
    package func read<Result: Sendable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        let deadline = ContinuousClock.now + options.timeout
        do {
            return try ReaderSession(target, options, idle).read(until: deadline, body)
        } catch let error as DataStoreError {
            throw error.adding(operation: "read the store", path: path)
        }
    }
}
