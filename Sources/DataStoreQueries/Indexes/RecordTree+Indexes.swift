extension RecordTree {
    /// Adds an index of a collection if the tree does not have it.
    ///
    /// - Returns: Whether the index was added.
    /// - Throws: `DataStoreError`, e.g. with the code `notUnique` if two records have the same value of a unique field.
    mutating func addIndex(_ index: IndexDefinition, of collection: String) throws(DataStoreError) -> Bool {
        let backend = RecordTreeTransaction(self)
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(backend))
        if catalogue[index.name]?.isReady == true { return false }
        // A query does not make an index unique, but keeps the uniqueness that a program has declared.
        try catalogue.declare(IndexDefinition(index.field, isCovering: index.isCovering), in: backend)
        guard let index = catalogue.index(named: index.name) else { return false }
        var entries: [Entry] = []
        if index.isUnique {
            try catalogue.build(index, in: backend)
        } else {
            var state = index.state
            _ = try backend.removeFirst(.max, of: state.entriesCollection)
            try ReadTransaction(backend).scan(Scan(stored: collection)) { key, view throws(DataStoreError) in
                let record = try view.record()
                for id in try index.validEntries(of: view, id: key.id) {
                    let key = Key(stored: String(decoding: id, as: UTF8.self), in: state.entriesCollection)
                    entries.append(Entry(key: key, record: index.content(of: id, record)))
                }
                return .next
            }
            state.progress = .ready
            state.hasOverflowEntries = entries.contains { Index.isOverflow($0.key.id.utf8) }
            catalogue[index.name] = state
        }
        try catalogue.put(in: backend)
        self = backend.tree
        if entries.isEmpty { return true }
        // All entries are inserted at once, because each separate insertion would copy its path in the tree.
        backend.tree.forEach { entries.append(Entry(key: $0, record: $1)) }
        self = RecordTree(ordered: entries.sorted { $0.key < $1.key })
        return true
    }
}

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
        guard var tree = recordsInMemory else { return }
        if try tree.addIndex(index, of: collection) { recordsInMemory = tree }
    }
}
