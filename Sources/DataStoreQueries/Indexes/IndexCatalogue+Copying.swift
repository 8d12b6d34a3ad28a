extension ReadTransaction {
    /// Returns the index catalogues of the store, which ``WriteTransaction/declareIndexes(_:)`` adds to another store.
    /// They contain the definitions of all indexes, including those of other programs, and the breaking migrations.
    ///
    /// - Throws: `DataStoreError` with the code `unsupportedFormat` if a newer version of the library declared an
    ///   index.
    package func indexCatalogues() throws(DataStoreError) -> [IndexCatalogue] {
        try indexedCollections().map { name throws(DataStoreError) in
            let catalogue = try IndexCatalogue(of: name, in: self)
            try catalogue.requireKnown()
            return catalogue
        }
    }
}

extension WriteTransaction {
    /// Stores the index definitions of another store and the names of its breaking migrations. No migration runs.
    ///
    /// The rules are those of the other store, whose references have been checked there. The entries of the indexes are
    /// built later. If records have equal values of a unique field, the index stays
    /// incomplete, as in the other store.
    package mutating func declareIndexes(
        _ others: [IndexCatalogue], _ rules: StoreRules
    ) throws(DataStoreError) {
        if !rules.isEmpty { try replaceRules(with: rules) }
        for other in others {
            var catalogue = try IndexCatalogue(of: other.collection, in: reading)
            for index in other.indexes {
                try catalogue.declare(index.definition, in: backend)
                // The other store has enforced the uniqueness, so a failed build must not end the enforcement.
                if index.state.uniqueness == .enforced { catalogue[index.name]?.uniqueness = .enforced }
            }
            catalogue.breakingMigrations.appendMissing(
                other.breakingMigrations.filter { !(DerivedFields.isMigration($0) && backend.isInMemory) })
            try catalogue.put(in: backend)
            forgetIndexes(of: other.collection)
        }
    }

    /// Removes the indexes with their entries, the names of the breaking migrations, and the rules.
    ///
    /// Indexes that another version of the library declared are kept.
    package mutating func removeAllIndexes() throws(DataStoreError) {
        try replaceRules(with: .none)
        for name in try reading.indexedCollections() {
            var catalogue = try IndexCatalogue(of: name, in: reading)
            for index in catalogue.indexes {
                _ = try catalogue.remove(index, atMost: .max, in: backend)
            }
            catalogue.breakingMigrations = []
            try catalogue.put(in: backend)
            forgetIndexes(of: name)
        }
    }
}
