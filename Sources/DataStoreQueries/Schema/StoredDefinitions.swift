package import DataStoreCore

/// The index definitions and breaking migrations of a store, which can be added to another store.
package struct StoredDefinitions: Sendable {
    fileprivate struct Item {
        let collection: String
        let index: IndexDefinition
        let uniqueness: IndexState.Uniqueness
    }

    fileprivate let items: [Item]
    /// The names of the breaking migrations of each collection.
    fileprivate let migrations: [(collection: String, names: [String])]
}

extension ReadTransaction {
    /// Returns the index definitions and the breaking migrations of the store, including those of other programs.
    ///
    /// - Throws: `DataStoreError` with the code `unsupportedFormat` if a newer version of the library declared an
    ///   index.
    package func indexDefinitions() throws(DataStoreError) -> StoredDefinitions {
        var items: [StoredDefinitions.Item] = []
        var migrations: [(collection: String, names: [String])] = []
        for name in try indexedCollections() {
            let catalogue = try IndexCatalogue(of: name, in: self)
            if let unknown = catalogue.unknownNames.first {
                throw IndexCatalogueRecord.unknownIndex(unknown, of: name)
            }
            if !catalogue.breakingMigrations.isEmpty { migrations.append((name, catalogue.breakingMigrations)) }
            items += catalogue.items.map { item in
                StoredDefinitions.Item(
                    collection: name, index: item.definition, uniqueness: item.state.uniqueness)
            }
        }
        return StoredDefinitions(items: items, migrations: migrations)
    }
}

extension WriteTransaction {
    /// Stores the index definitions of another store and the names of its breaking migrations. No migration runs.
    ///
    /// The entries of the indexes are built later. If records have equal values of a unique field, the index stays
    /// incomplete, as in the other store.
    package mutating func declareIndexes(_ definitions: StoredDefinitions) throws(DataStoreError) {
        for item in definitions.items {
            var catalogue = try IndexCatalogue(of: item.collection, in: reading)
            try catalogue.declare(item.index, in: backend)
            // The other store has enforced the uniqueness, so a failed build must not end the enforcement.
            if item.uniqueness == .enforced { catalogue[item.index.name]?.uniqueness = .enforced }
            try catalogue.put(in: backend)
            indexes.forget(item.collection)
        }
        for (collection, names) in definitions.migrations {
            var catalogue = try IndexCatalogue(of: collection, in: reading)
            for name in names where !(DerivedFields.isMigration(name) && backend.isInMemory) {
                _ = catalogue.addBreakingMigration(name)
            }
            try catalogue.put(in: backend)
            indexes.forget(collection)
        }
    }

    /// Removes the indexes with their entries, and the names of the breaking migrations.
    ///
    /// Indexes that another version of the library declared are kept.
    package mutating func removeAllIndexes() throws(DataStoreError) {
        for name in try reading.indexedCollections() {
            var catalogue = try IndexCatalogue(of: name, in: reading)
            for item in catalogue.items {
                _ = try backend.removeFirst(.max, of: item.state.entries)
                catalogue[item.field.name] = nil
            }
            catalogue.removeBreakingMigrations()
            try catalogue.put(in: backend)
            indexes.forget(name)
        }
    }
}
