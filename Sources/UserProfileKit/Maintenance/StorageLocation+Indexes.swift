package import DataStoreQueries

extension StorageLocation {
    /// Returns all indexes of the store with the number of their entries, including indexes that other programs
    /// declared.
    ///
    /// - Returns: The indexes, ordered by collection.
    /// - Throws: ``MaintenanceError`` if no store exists or its records do not outlive the process. `DataStoreError` if
    ///   the store cannot be read.
    package func indexes() async throws -> [StoredIndex] {
        try await requireStore()
        return try await withStore { try await SchemaStore($0).indexes(countingEntries: true) }
    }

    /// Removes an index and its entries. If the index was unique, several records may have the same value from now on.
    ///
    /// A program that declares the index builds it again when the program opens the store. First remove the declaration
    /// from all programs.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - name: The name of the index, e.g. `title`.
    /// - Returns: Whether the index existed.
    /// - Throws: ``MaintenanceError`` if no store exists or its records do not outlive the process. `DataStoreError` if
    ///   the store cannot be written.
    @discardableResult
    package func removeIndex(of collection: String, named name: String) async throws -> Bool {
        try await requireStore()
        return try await withStore { try await SchemaStore($0).removeIndex(of: collection, named: name) }
    }
}
