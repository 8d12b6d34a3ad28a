package import DataStoreQueries

extension StorageLocation {
    /// Returns the indexes that the store has, whichever program declared them, with the number of their entries.
    ///
    /// - Returns: The indexes, in the order of their collections.
    /// - Throws: ``MaintenanceError`` if no store exists or its records do not outlive the process; `DataStoreError`.
    package func indexes() async throws -> [StoredIndex] {
        try await requireStore()
        return try await withStore { try await SchemaStore($0).indexes(countingEntries: true) }
    }

    /// Removes an index with its entries. If it was unique, its values may repeat from now on.
    ///
    /// A program whose schema declares the index builds it again, so remove it from the programs first.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - name: The name of the index, e.g. `title`.
    /// - Returns: Whether the index existed.
    /// - Throws: ``MaintenanceError`` if no store exists or its records do not outlive the process; `DataStoreError`.
    @discardableResult
    package func removeIndex(of collection: String, named name: String) async throws -> Bool {
        try await requireStore()
        return try await withStore { try await SchemaStore($0).removeIndex(of: collection, named: name) }
    }
}
