package import DataStoreCore

/// The index definitions of a store, to be declared in another one.
package struct StoredDefinitions: Sendable {
    fileprivate struct Item {
        let collection: String
        let index: IndexDefinition
        let uniqueness: IndexState.Uniqueness
    }

    fileprivate let items: [Item]
}

extension ReadTransaction {
    /// Returns the index definitions of the store, whichever program declared them.
    ///
    /// - Throws: `DataStoreError` with the code `formatTooNew` if a newer library declared one of them.
    package func indexDefinitions() throws(DataStoreError) -> StoredDefinitions {
        var items: [StoredDefinitions.Item] = []
        for name in try indexedCollections() {
            let catalogue = try IndexCatalogue(of: name, in: self)
            if let unknown = catalogue.unknownNames.first {
                throw IndexCatalogueRecord.unknownIndex(unknown, of: name)
            }
            items += catalogue.items.map { item in
                StoredDefinitions.Item(
                    collection: name, index: item.definition, uniqueness: item.state.uniqueness)
            }
        }
        return StoredDefinitions(items: items)
    }
}

extension WriteTransaction {
    /// Adds the index definitions of another store. Their entries are built later.
    ///
    /// Records with equal values of a unique field are no error: the index then stays incomplete, as in the other
    /// store.
    package mutating func declareIndexes(_ definitions: StoredDefinitions) throws(DataStoreError) {
        for item in definitions.items {
            var catalogue = try IndexCatalogue(of: item.collection, in: reading)
            try catalogue.declare(item.index, in: backend)
            // The other store has enforced it, so a failed build must not withdraw it.
            if item.uniqueness == .enforced { catalogue[item.index.name]?.uniqueness = .enforced }
            try catalogue.put(in: backend)
            indexes.forget(item.collection)
        }
    }

    /// Removes all indexes that this library knows, with their entries.
    package mutating func removeAllIndexes() throws(DataStoreError) {
        for name in try reading.indexedCollections() {
            var catalogue = try IndexCatalogue(of: name, in: reading)
            for item in catalogue.items {
                _ = try backend.removeFirst(.max, of: item.state.entries)
                catalogue[item.field.name] = nil
            }
            try catalogue.put(in: backend)
            indexes.forget(name)
        }
    }
}
