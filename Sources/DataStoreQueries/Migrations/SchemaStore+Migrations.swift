extension SchemaStore {
    /// Applies the migrations of the schema that the store has not applied yet, in their order. Call
    /// ``buildIndexes(progress:)`` afterwards.
    ///
    /// A migration processes up to 10,000 records in each write, or all records at once in a store that keeps its
    /// records in memory. Each write also stores the progress, so that a program can continue after an interruption.
    /// Several programs with the same migrations share the work. Meanwhile, other writes to the collection fail with
    /// the code `migrationPending`, or `unknownMigration` in programs that do not declare the migration.
    ///
    /// A migration of a collection without records completes at once. If the store contains no records at all, the
    /// function changes nothing. In that case, the first write to a collection records the migrations of the collection
    /// as applied, and those of the collections that a renaming connects to it.
    ///
    /// - Parameters:
    ///   - dryRun: Whether to run the migrations on the current records without changing the store. A dry run finds
    ///     errors of migrations and results that the declared entity types cannot read, but not records with equal keys
    ///     or equal values of unique fields.
    ///   - progress: A closure that receives the names of a migration and its collection, e.g.
    ///     `2026-11 split name of people`, and the number of records processed so far. It is called after each batch.
    /// - Returns: The migrations that were pending, each with the number of records that it has processed, or would
    ///   change in a dry run.
    /// - Throws: `CancellationError` if the task is cancelled, or `DataStoreError` with one of these codes:
    ///   - `unknownMigration` if the schema lacks a breaking migration of the store, or declares the applied migrations
    ///     in a different order.
    ///   - `migrationFailed` if a migration fails. The error names the migration, the key of the record and the cause.
    @discardableResult
    public func migrate(
        dryRun: Bool = false, progress: (_ migration: String, _ count: Int) -> Void = { _, _ in }
    ) async throws -> [StoredMigration] {
        let schema = schema
        let pending = try await store.read { transaction in
            let pending = try schema.pendingMigrations(in: transaction)
            return try pending.isEmpty || transaction.collections().isEmpty ? [] : pending
        }
        if dryRun { return try await store.read { try schema.trial(of: pending, in: $0) } }
        var applied: [StoredMigration] = []
        for migration in pending {
            applied.append(migration.inState(.applied, recordCount: try await apply(migration, progress)))
        }
        return applied
    }

    /// Returns the migrations of all programs that the store has applied or begun, and the pending ones of the schema.
    ///
    /// ```swift
    /// for migration in try await storage.records.migrations() { print(migration.name, migration.state) }
    /// ```
    ///
    /// - Returns: The migrations, ordered by collection and then by application. Pending ones come last.
    /// - Throws: `DataStoreError` if the store cannot be read. The code is `unknownMigration` if the schema lacks a
    ///   breaking migration of the store or declares the applied migrations in a different order.
    public func migrations() async throws -> [StoredMigration] {
        let schema = schema
        return try await store.read { transaction in
            let pending = try schema.pendingMigrations(in: transaction)
            let stored = try transaction.storedMigrations()
            return stored
                + pending.filter { migration in
                    !stored.contains { $0.name == migration.name && $0.collection == migration.collection }
                }.map { $0.inState(.pending, recordCount: nil) }
        }
    }

    /// Throws a `DataStoreError` with the code `unknownMigration` if a program with this schema cannot read a
    /// collection, because a migration that it does not declare may have moved the records. Call it after a read has
    /// found nothing.
    package func checkMigrations(
        of collection: String, in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        try schema.check(collection, in: transaction)
    }

    /// Applies a migration.
    ///
    /// - Returns: The number of processed records.
    private func apply(_ migration: Migration, _ progress: (String, Int) -> Void) async throws -> Int {
        let name = "\(migration.name) of \(migration.collection)"
        // The indexes that the schema declares are for the migrated records. Only those of the store are enforced.
        let stored = SchemaStore(store, schema: schema.withoutDeclarations, now: now)
        var count = 0
        while true {
            try Task.checkCancellation()
            let step = try await stored.write { [schema] transaction in
                // A migration that moves a record must not delete the records that refer to it.
                (transaction.maintenance as? RecordMaintenance)?.restrictsAll = true
                return try MigrationStep(
                    migration: migration, batchCount: schema.migrationBatchCount, backend: transaction.backend
                ).run(&transaction)
            }
            if let processed = step.count {
                count = processed
                progress(name, count)
            }
            if step.isComplete { return count }
            if case .indexAddition(let index) = migration.change { try await build(index, for: migration, progress) }
        }
    }

    /// Builds the index that a migration adds.
    private func build(
        _ index: IndexDefinition, for migration: Migration, _ progress: (String, Int) -> Void
    ) async throws {
        var schema = try Schema([Schema.Collection(migration.collection, indexes: [index])])
        schema.indexStepCount = self.schema.indexStepCount
        let blocked = try await SchemaStore(store, schema: schema).build(migration.collection, progress)
        if let blocked = blocked.first(where: { $0.index?.name.hasSameBytes(as: index.name) == true }) {
            throw MigrationStep.failure(of: migration, blocked.underlying ?? blocked)
        }
    }
}
