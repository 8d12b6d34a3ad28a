public import DataStoreQueries
import UserProfileData

extension StorageLocation {
    /// Applies the migrations that the store has not applied yet, and completes the indexes.
    ///
    /// `UserProfileStorage.open` does the same. Call this function to back up the store first, to find out with a dry
    /// run how many records a migration changes, or to migrate before programs start.
    ///
    /// - Parameters:
    ///   - migrations: The migrations of the program, in their order.
    ///   - entities: The entity types of the program. A dry run decodes the migrated records as these types.
    ///   - path: The path of a backup to make first, which must not exist, or `nil` to make no backup.
    ///   - dryRun: Whether to run the migrations on the current records without changing or backing up the store.
    ///   - progress: A closure that receives the current operation and an upper bound of the number of records that it
    ///     has processed. The operation is a migration, e.g. `2026-11 split name of people`, or the build of an index,
    ///     e.g. `trips by title`.
    /// - Returns: The migrations that were pending, each with the number of records that it has processed, or would
    ///   change in a dry run.
    /// - Throws: ``MaintenanceError`` if no store exists, its records do not outlive the process, or its kind does not
    ///   support backups. `DataStoreError` with the code `unknownMigration` if the store has a breaking migration that
    ///   the program does not declare, or `migrationFailed` if a migration fails. `CancellationError` if the task is
    ///   cancelled.
    @discardableResult
    public func migrate(
        _ migrations: [Migration], entities: [EntityType] = [], backingUpTo path: String? = nil, dryRun: Bool = false,
        progress: (_ migration: String, _ count: Int) -> Void = { _, _ in }
    ) async throws -> [StoredMigration] {
        try await requireStore()
        let schema = try Schema(
            [UserMapping().schemaCollection] + entities.map(\.mapping.schemaCollection), migrations: migrations)
        if let path, !dryRun { try await backUp(to: path) }
        // Pages are not verified, because each batch would verify them again.
        return try await kind.open(at: address, report: nil).closing { store in
            let store = SchemaStore(store, schema: schema)
            let applied = try await store.migrate(dryRun: dryRun, progress: progress)
            if !dryRun { try await store.buildIndexes(progress: progress) }
            return applied
        }
    }

    /// Returns the migrations that the store has applied or begun, including those of other programs.
    ///
    /// - Returns: The migrations, ordered by collection.
    /// - Throws: ``MaintenanceError`` if no store exists or its records do not outlive the process. `DataStoreError` if
    ///   the store cannot be read.
    package func migrations() async throws -> [StoredMigration] {
        try await requireStore()
        return try await withStore { try await SchemaStore($0).migrations() }
    }
}
