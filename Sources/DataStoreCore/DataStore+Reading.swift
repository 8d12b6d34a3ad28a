extension DataStore {
    /// Runs a closure like ``read(_:)``. This is the default implementation, which ignores the key.
    public func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await read(body)
    }

    /// Returns the record of a key.
    ///
    /// - Parameter key: The key of the record.
    /// - Returns: The record, or `nil` if the key does not exist.
    /// - Throws: ``DataStoreError`` if the store or the record cannot be read.
    public func record(for key: Key) async throws -> Record? {
        try await read(prefetching: key) { try $0.record(for: key) }
    }
}
