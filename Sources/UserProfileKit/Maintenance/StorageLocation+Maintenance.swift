import DataStoreSystem

extension StorageLocation {
    // MARK: Files

    /// Copies the store to a new path while programs use it. When this function returns, the copy is complete and
    /// durable.
    ///
    /// An LMDB store is copied to a directory, without free pages. A property list is copied to a file, byte for byte.
    ///
    /// - Parameter path: The path of the copy, which must not exist.
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or if the
    ///   store is damaged or the copy cannot be written, or with the code `unsupported` if its kind does not
    ///   support backups. `CancellationError` if the task is cancelled.
    public func backUp(to path: String) async throws {
        try await requireStore()
        try await kind.backUp(at: address, to: path)
    }

    /// Rewrites the store without its free pages. Close the store in all programs first.
    ///
    /// The free pages of an LMDB store contain deleted values until later writes reuse the pages. This function
    /// replaces its data file with a checked copy without free pages. Single deleted values can remain as keys within
    /// index pages; a copy that ``copy(to:replacing:progress:)`` makes has none. A property list needs no compaction,
    /// because each save writes the whole file.
    ///
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or
    ///   with the code `busy` if a program has the store open, or `unsupported` if its kind cannot be compacted.
    ///   `CancellationError` if the task is cancelled. In each case the store is unchanged.
    public func compact() async throws {
        try await requireStore()
        try await kind.compact(at: address)
    }

    /// Replaces the store with a backup that ``backUp(to:)`` made, or creates the store from it. Checks the backup
    /// first.
    ///
    /// No other program may have an LMDB store open. A property list can be replaced while programs use it.
    ///
    /// - Parameter path: The path of the backup, which does not change.
    /// - Returns: The path at which the replaced file is kept, or `nil` if the store did not exist.
    /// - Throws: `DataStoreError` if no backup exists, or if it is the store itself, or if the backup
    ///   is damaged, or with the code `busy` if a program has the store open. `CancellationError` if the task is
    ///   cancelled. In each case the store is unchanged.
    package func restore(from path: String) async throws -> String? {
        try requirePersistence()
        let backup = StorageLocation(kind: kind, address: try kind.address(from: path))
        try await backup.requireStore()
        try backup.requireOther(self)
        if let problem = try await backup.check().first {
            throw DataStoreError(
                .corrupted, "\(problem); choose another backup", operation: "restore the store", path: path)
        }
        if try await exists() { return try await kind.restore(at: address, from: backup.address) }
        try await backup.backUp(to: address)
        return nil
    }

    /// The size of the store's data file in bytes, or `nil` if the kind has no data file or it does not exist.
    package func fileByteCount() throws -> Int? {
        try kind.dataFile(at: address).flatMap { try FileStatus.ifExists(path: $0).map { Int($0.size) } }
    }

    // MARK: Damaged stores

    /// Copies the intact records of a damaged store, and the definitions of its indexes, into another store. Existing
    /// records of the other store are not replaced, and the damaged store is not changed.
    ///
    /// - Parameter target: The location of the other store.
    /// - Returns: The number of copied records, and the losses.
    /// - Throws: `DataStoreError` if no store exists, if the target is the same store, or if the records of the
    ///   target do not outlive the process, or if the damaged store cannot be read or the target cannot
    ///   be written, or with the code `unsupported` if the kind of the store cannot be salvaged. `CancellationError` if
    ///   the task is cancelled.
    package func salvage(into target: StorageLocation) async throws -> RecoveryReport {
        try target.requirePersistence()
        try await requireStore()
        try requireOther(target)
        let report = try await target.withStore { try await kind.salvage(at: address, into: $0) }
        await target.buildIndexes()
        return report
    }

    /// Replaces a damaged store with one that contains its intact records. Keeps the damaged file under another name.
    /// An intact store is not changed.
    ///
    /// - Returns: The number of recovered records, the losses, and the path of the damaged file.
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or if the
    ///   store cannot be read, recovered or written, or with the code `unsupported` if its kind cannot be
    ///   recovered.
    package func recover() async throws -> RecoveryReport {
        try await requireStore()
        return try await kind.recover(at: address)
    }

    // MARK: Indexes

    /// Returns all indexes of the store with the number of their entries, including indexes that other programs
    /// declared.
    ///
    /// - Returns: The indexes, ordered by collection.
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or if the
    ///   store cannot be read.
    package func indexes() async throws -> [IndexReport] {
        let schema = try Schema([UserMapping().schemaCollection])
        return try await withExistingStore { try await SchemaStore($0, schema: schema).indexes(countingEntries: true) }
    }

    /// Removes an index and its entries. If the index was unique, several records may have the same value from now on.
    ///
    /// A program that declares the index builds it again when the program opens the store. First remove the declaration
    /// from all programs.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - name: The name of the index, e.g. `title`.
    /// - Returns: Whether the index existed.
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or if the
    ///   store cannot be written.
    @discardableResult
    package func removeIndex(of collection: String, named name: String) async throws -> Bool {
        try await withExistingStore { try await SchemaStore($0).removeIndex(of: collection, named: name) }
    }

    // MARK: Migrations

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
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or
    ///   with the code `unknownMigration` if the store has a breaking migration that the program does not declare,
    ///   `migrationFailed` if a migration fails, or `unsupported` if its kind does not support backups.
    ///   `CancellationError` if the task is cancelled.
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
            if !dryRun {
                try await store.declareRules()
                try await store.buildIndexes(progress: progress)
            }
            return applied
        }
    }

    // MARK: References

    /// Repairs references to entities that do not exist, e.g. of a salvaged store, or of existing entities before
    /// `UserProfileStorage.open` declares a reference.
    ///
    /// ```swift
    /// for line in try await location.repairReferences(of: entities, dryRun: true) { print(line) }
    /// ```
    ///
    /// An entity is deleted if the rule of its reference is `cascade`. If the rule is `clear`, it loses the id. Each
    /// write repairs up to 1,000 entities, so other writes do not wait long.
    ///
    /// - Parameters:
    ///   - entities: The entity types of the program. References that other programs have declared are repaired, too.
    ///   - restricted: The rule for references that restrict deletions. With `restrict`, the entities stay as they are.
    ///   - dryRun: Whether to change nothing.
    /// - Returns: One sentence for each broken reference, which states what happens to its entities, and one for each
    ///   of the first entities. A repair may break other references, which are repaired and returned, too.
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or if the
    ///   store cannot be written, e.g. with the code `brokenReference` if an entity that would be deleted is still
    ///   needed. `CancellationError` if the task is cancelled.
    @discardableResult
    public func repairReferences(
        of entities: [EntityType] = [], restricted: Reference.DeletionRule = .restrict, dryRun: Bool = false
    ) async throws -> [String] {
        let schema = try Schema(entities.map(\.mapping.schemaCollection))
        return try await withExistingStore { store in
            try await SchemaStore(store, schema: schema).repairReferences(restricted: restricted, isDryRun: dryRun)
        }
    }

    /// Returns the migrations that the store has applied or begun, including those of other programs.
    ///
    /// - Returns: The migrations, ordered by collection.
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or if the
    ///   store cannot be read.
    package func migrations() async throws -> [StoredMigration] {
        try await withExistingStore { try await SchemaStore($0).migrations() }
    }
}
