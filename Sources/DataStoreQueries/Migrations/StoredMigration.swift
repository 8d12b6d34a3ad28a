import DataStoreCore

/// A migration and its state in a store, which ``SchemaStore/migrations()`` returns.
///
/// ```swift
/// for migration in try await storage.records.migrations() {
///     print(migration.name, migration.state)
/// }
/// ```
public struct StoredMigration: Hashable, Sendable {
    /// The state of a migration in a store.
    ///
    /// ```swift
    /// let isPending = try await storage.records.migrations().contains { $0.state != .applied }
    /// ```
    public enum State: Sendable {
        /// The store has applied the migration to all records.
        case applied
        /// The store has begun the migration, but has not completed it.
        case incomplete
        /// The program declares the migration, and the store has not begun it.
        case pending
    }

    /// The name of the collection whose records the migration changes.
    public let collection: String

    /// The name of the migration.
    public let name: String

    /// Whether programs that do not declare the migration can use the store.
    public let isAdditive: Bool

    /// The state of the migration.
    public let state: State

    /// The number of records that the migration has processed, or would change in a dry run. `nil` if it is unknown.
    public let recordCount: Int?

    init(_ migration: Migration, _ state: State, recordCount: Int?) {
        collection = migration.collection
        name = migration.name
        isAdditive = migration.isAdditive
        self.state = state
        self.recordCount = recordCount
    }

    init(_ item: MigrationHistory.Item, of collection: String) {
        self.collection = collection
        name = item.name
        isAdditive = item.isAdditive
        state = item.progress == nil ? .applied : .incomplete
        recordCount = item.progress?.count
    }
}

extension ReadTransaction {
    /// Returns the migrations that the store has applied or begun.
    func storedMigrations() throws(DataStoreError) -> [StoredMigration] {
        var names: [String] = []
        try backend.scan(Scan(stored: MigrationHistory.collection)) { key, _ in
            names.append(key.id)
            return .next
        }
        var migrations: [StoredMigration] = []
        for name in names {
            migrations += try MigrationHistory(of: name, in: self).items.map { StoredMigration($0, of: name) }
        }
        return migrations
    }
}
