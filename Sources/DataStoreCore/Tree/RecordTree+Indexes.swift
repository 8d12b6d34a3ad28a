extension RecordTree {
    /// Makes the indexes of a collection that are not there.
    ///
    /// - Returns: whether one was made.
    mutating func addIndexes(_ indexes: [RecordIndex], of collection: String) throws(DataStoreError) -> Bool {
        let backend = RecordTreeTransaction(self)
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(backend))
        var hasChanged = false
        for index in indexes where catalogue[index.name]?.isReady(index) != true {
            let builder = IndexBuilder(index, of: collection, in: backend)
            do throws(DataStoreError) {
                while try builder.step(&catalogue, count: .max) != .done {}
                hasChanged = true
            } catch {
                // Then there is none to be used, and who asks for it to be made is told.
                guard error.code == .notUnique || error.code == .corrupted else { throw error }
                return false
            }
        }
        guard hasChanged else { return false }
        try catalogue.put(in: backend)
        self = backend.tree
        return true
    }

    /// Shows every record that a program has put, in the order of the keys, and no entries of indexes.
    package func forEachRecord(_ body: (Key, Record) throws -> Void) rethrows {
        try forEach { key, record in
            if !key.isOfIndex { try body(key, record) }
        }
    }
}

extension Key {
    /// Whether an index of the port is kept there, and nothing that a program has put.
    package var isOfIndex: Bool { collection.utf8.first == 0 }
}
