extension ReadBackend {
    /// Creates a missing index for a query, if the store keeps its records in memory.
    ///
    /// Does nothing if the index cannot be built because of duplicate values, a damaged record, or an index of a newer
    /// version of the library. The query then reads all records. Throws any other error.
    func createIndexInMemory(_ index: IndexDefinition, of collection: String) throws(DataStoreError) {
        do throws(DataStoreError) {
            try addIndexInMemory(index, of: collection)
        } catch {
            // The query then reads all records, and reports a damaged record itself.
            let isExpected = error.code == .notUnique || error.code == .corrupted || error.code == .unsupportedFormat
            guard isExpected else { throw error }
        }
    }

    /// Creates a missing index, if the store keeps its records in memory.
    ///
    /// - Throws: `DataStoreError`, e.g. with the code `notUnique` if two records have the same value of a unique field.
    func addIndexInMemory(_ index: IndexDefinition, of collection: String) throws(DataStoreError) {
        guard let records = recordsInMemory else { return }
        let backend = RecordTreeTransaction(records)
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(backend))
        if catalogue[index.name]?.isReady == true { return }
        // A query does not make an index unique, but keeps the uniqueness that a program has declared.
        try catalogue.declare(IndexDefinition(index.field, isCovering: index.isCovering), in: backend)
        guard let index = catalogue.index(named: index.name) else { return }
        try catalogue.build(index, in: backend)
        try catalogue.put(in: backend)
        recordsInMemory = backend.tree
    }
}
