public import DataStoreQueries

extension StorageLocation {
    /// Applies the migrations that the store has not applied yet, as `UserProfileStorage.open` does, and completes the
    /// indexes.
    ///
    /// Use it to back up the store first, to report what a migration would do, or to migrate before programs are
    /// started.
    ///
    /// - Parameters:
    ///   - migrations: The migrations of the program, in their order.
    ///   - path: The path of a backup that is made first, which must not exist; `nil` makes none.
    ///   - dryRun: Whether to run the migrations on the current records without changing the store or backing it up.
    ///   - progress: Called with a migration, e.g. `2026-11 split name of people`, or an index, and the number of
    ///     records that were processed.
    /// - Returns: The migrations that were pending, with the numbers of their records.
    /// - Throws: ``MaintenanceError`` if no store exists, its records do not outlive the process, or its kind has no
    ///   backup; `DataStoreError`: `unknownMigration`, `migrationFailed`; `CancellationError`.
    @discardableResult
    public func migrate(
        _ migrations: [Migration], backingUpTo path: String? = nil, dryRun: Bool = false,
        progress: (_ migration: String, _ count: Int) -> Void = { _, _ in }
    ) async throws -> [StoredMigration] {
        try await requireStore()
        let schema = try Schema([], migrations: migrations)
        if let path, !dryRun { try await backUp(to: path) }
        // Pages are not verified, because each batch would do so again.
        return try await kind.open(at: address, report: nil).closing { store in
            let store = SchemaStore(store, schema: schema)
            let applied = try await store.migrate(dryRun: dryRun, progress: progress)
            if !dryRun { try await store.buildIndexes(progress: progress) }
            return applied
        }
    }

    /// Returns the migrations that the store has applied or begun, whichever program declared them.
    ///
    /// - Returns: The migrations, in the order of their collections.
    /// - Throws: ``MaintenanceError`` if no store exists or its records do not outlive the process; `DataStoreError`.
    package func migrations() async throws -> [StoredMigration] {
        try await requireStore()
        return try await withStore { try await SchemaStore($0).migrations() }
    }
}
