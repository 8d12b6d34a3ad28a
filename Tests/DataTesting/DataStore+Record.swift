package import DataStoreCore

extension DataStore {
    /// Writes a record without a repository, as another program would.
    package func put(_ record: Record, _ collection: String, _ id: String) async throws {
        let key = try Key(collection: collection, id: id)
        try await write { transaction in try transaction.put(record, for: key) }
    }

    /// Reads a record without a repository.
    package func record(_ collection: String, _ id: String) async throws -> Record? {
        try await record(for: Key(collection: collection, id: id))
    }
}
