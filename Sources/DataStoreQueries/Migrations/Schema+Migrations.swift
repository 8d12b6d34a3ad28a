extension Schema {
    /// Returns the migrations that change a collection, in their order.
    func migrations(of collection: String) -> [Migration] { migrations.filter { $0.changes(collection) } }

    /// Checks that no declared collection loses its records to another collection.
    ///
    /// - Throws: `DataStoreError` with the code `misuse` if a migration renames a declared collection, unless a later
    ///   migration renames another collection to the declared name.
    package func checkRenamedCollections() throws(DataStoreError) {
        for (index, migration) in migrations.enumerated() {
            guard case .rename(let newName) = migration.change,
                let declared = collections.first(where: { $0.name.hasSameBytes(as: migration.collection) }),
                !migrations[index...].contains(where: { later in
                    if case .rename(let name) = later.change { name.hasSameBytes(as: declared.name) } else { false }
                })
            else { continue }
            throw .invalidDeclaration(
                of: "a schema",
                "the migration \(migration.name.debugDescription) renames the collection "
                    + "\(declared.name) to \(newName); declare \(declared.recordName) in \(newName)")
        }
    }

    /// Throws an error if a migrated record is not readable as the entity that its collection contains.
    func decode(_ entry: Entry) throws {
        try collections.first { $0.name.hasSameBytes(as: entry.key.collection) }?.decode?(entry)
    }

    /// Throws a `DataStoreError` with the code `unknownMigration` if a declared collection has a breaking migration
    /// that the schema does not declare.
    func check(_ catalogue: IndexCatalogue) throws(DataStoreError) {
        if catalogue.breakingMigrations.isEmpty { return }
        let declared = migrations(of: catalogue.collection)
        // Tools without a schema work on any collection.
        let isKnown = !declared.isEmpty || collections.contains { $0.name.hasSameBytes(as: catalogue.collection) }
        if !isKnown { return }
        for name in catalogue.breakingMigrations
        where !DerivedFields.isMigration(name) && !declared.contains(where: { $0.name.hasSameBytes(as: name) }) {
            throw MigrationHistory.unknownMigration(name, of: catalogue.collection)
        }
    }

    /// Throws a `DataStoreError` with the code `unknownMigration` if the schema lacks a breaking migration of a
    /// collection. A read that finds nothing calls it, because the migration may have moved the records.
    func check(_ collection: String, in transaction: borrowing ReadTransaction) throws(DataStoreError) {
        let names = try transaction.view(of: IndexState.catalogueKey(of: collection)) { view throws(DataStoreError) in
            try view.value(of: IndexState.migrationsField)
        }
        if case .some(.some) = names { try check(IndexCatalogue(of: collection, in: transaction)) }
    }

    /// Checks whether the migrations of the store and of the schema allow a write to a collection. The first write to a
    /// collection without records completes its migrations, and those of the collections that renamings connect to it.
    /// The first write to a small collection adds its derived fields. Otherwise, their histories would lack migrations
    /// that the schema declares before the renaming.
    ///
    /// - Returns: Whether migrations were completed.
    /// - Throws: `DataStoreError` with the code `unknownMigration` if the schema lacks a breaking migration of the
    ///   store, or `migrationPending` if a migration is not complete.
    func prepareMigrations(
        _ catalogue: IndexCatalogue, in backend: any WriteBackend
    ) throws(DataStoreError) -> Bool {
        try check(catalogue)
        if migrations(of: catalogue.collection).isEmpty, derivedFields(of: catalogue.collection) == nil { return false }
        let reading = ReadTransaction(backend)
        guard try !pendingMigrations(of: [catalogue.collection], in: reading).isEmpty else { return false }
        for migration in try pendingMigrations(of: connectedCollections(to: catalogue.collection), in: reading) {
            let step = MigrationStep(migration: migration, batchCount: migrationBatchCount, backend: backend)
            if try reading.isEmpty(migration.collection) {
                try step.finishEmpty()
            } else if try !step.deriveIfSmall() {
                throw MigrationHistory.pendingMigration(migration)
            }
        }
        return true
    }

    /// Returns the names of the collections that migrations connect to a collection by renaming, including its own
    /// name.
    private func connectedCollections(to collection: String) -> [String] {
        var names = [collection]
        var visitedCount = 0
        while visitedCount < names.count {
            names.appendMissing(migrations(of: names[visitedCount]).flatMap(\.collections))
            visitedCount += 1
        }
        return names
    }

    /// Returns the migrations that are not complete, in their order.
    ///
    /// - Throws: `DataStoreError` with the code `unknownMigration` if the schema lacks a breaking migration of the
    ///   store.
    func pendingMigrations(in transaction: borrowing ReadTransaction) throws(DataStoreError) -> [Migration] {
        var names: [String] = []
        names.appendMissing(collections.map(\.name) + migrations.flatMap(\.collections))
        let pending = try pendingMigrations(of: names, in: transaction)
        // The first write to a collection without records completes its derivations.
        var needed: [Migration] = []
        for migration in pending {
            let canWait =
                migration.isDerivation
                && !pending.contains { !$0.isDerivation && $0.changes(migration.collection) }
            if canWait, try transaction.isEmpty(migration.collection) { continue }
            needed.append(migration)
        }
        return needed
    }

    /// Returns the migrations of some collections that are not complete, in their order.
    private func pendingMigrations(
        of names: [String], in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> [Migration] {
        var (pending, derivations): ([Migration], [Migration]) = ([], [])
        for name in names {
            let catalogue = try IndexCatalogue(of: name, in: transaction)
            try check(catalogue)
            let declared = migrations(of: name)
            let added = derivedFields(of: name)?.migrations(of: name) ?? []
            if declared.isEmpty, added.isEmpty { continue }
            let history = try MigrationHistory(of: name, in: transaction)
            pending += try history.pending(among: declared)
            for migration in added where try !migration.hasAddedField(history, catalogue, transaction) {
                derivations.append(migration)
            }
        }
        return migrations.filter { migration in pending.contains { $0.isSame(as: migration) } } + derivations
    }
}

extension ReadTransaction {
    /// Returns whether a collection has no records.
    func isEmpty(_ collection: String) throws(DataStoreError) -> Bool {
        var isEmpty = true
        try forEachID(in: Scan(stored: collection, limit: 1)) { _ in isEmpty = false }
        return isEmpty
    }
}
