import DataStoreCore

/// A migration and what a store has done with it.
public struct StoredMigration: Hashable, Sendable {
    /// The state of a migration.
    public enum State: Sendable {
        /// Complete.
        case applied
        /// Begun, and not complete.
        case incomplete
        /// Declared by the program, and not begun.
        case pending
    }

    /// The name of the collection.
    public let collection: String

    /// The name.
    public let name: String

    /// Whether programs that do not declare it can use the store.
    public let isAdditive: Bool

    /// The state.
    public let state: State

    /// The number of processed records; `nil` if it is not known.
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
