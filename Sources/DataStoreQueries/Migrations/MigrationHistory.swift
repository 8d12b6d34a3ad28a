/// The migrations of one collection that a store has applied or is applying, in order.
///
/// A history is a record in the collection `$migrations`. Older versions of the library copy and back up this record
/// like any other.
///
/// The index catalogue of the collection also contains the names of its breaking migrations. Every write checks the
/// catalogue, so a running program notices a new breaking migration. A version of the library without migrations does
/// not know this field of the catalogue, and rejects the write.
struct MigrationHistory {
    /// A migration that the store has applied or begun, and its progress, or `nil` if it is complete.
    typealias Item = (name: String, isAdditive: Bool, progress: Progress?)

    /// The progress of a migration that is not complete: the id of the last processed record, which is empty at the
    /// start, the number of processed records, and whether records were moved to keys that the migration has not
    /// reached yet. ``movedCollection`` contains the ids of these records.
    typealias Progress = (last: String, count: Int, hasMovedRecords: Bool)

    /// The name of the collection that contains the histories.
    static let collection = "$migrations"

    /// The name of the collection that contains the ids of the records that a running migration has moved to keys which
    /// it has not reached yet, and must skip there. The name has only one byte, so that a key in this collection has
    /// room for the id of any record.
    static let movedCollection = "$"

    /// The names of collections that a program cannot declare.
    static let reservedCollections = [collection, movedCollection, SealedField.keysCollection]

    let changedCollection: String
    private(set) var items: [Item] = []

    /// Reads the history of a collection.
    init(of collection: String, in transaction: borrowing ReadTransaction) throws(DataStoreError) {
        changedCollection = collection
        let key = Key(stored: collection, in: Self.collection)
        guard let record = try transaction.record(for: key) else { return }
        guard case .array(let values)? = record["migrations"] else { throw Self.damaged(key) }
        for value in values {
            guard case .record(let item) = value, case .string(let name)? = item["name"],
                case .bool(let isAdditive)? = item["additive"]
            else { throw Self.damaged(key) }
            var progress: Progress?
            if case .string(let last)? = item["through"], case .integer(let count)? = item["count"] {
                progress = (last, Int(clamping: count), hasMovedRecords: item["moved"] == .bool(true))
            }
            items.append((name, isAdditive, progress))
        }
    }

    private static func damaged(_ key: Key) -> DataStoreError {
        DataStoreError(.corrupted, "the list of applied migrations is damaged", key: key)
    }

    /// Stores the history.
    func put(in backend: any WriteBackend) throws(DataStoreError) {
        let values = items.map { item in
            var record: Record = ["name": .string(item.name), "additive": .bool(item.isAdditive)]
            if let progress = item.progress {
                record["through"] = .string(progress.last)
                record["count"] = .integer(Int64(progress.count))
                record["moved"] = .bool(progress.hasMovedRecords)
            }
            return Value.record(record)
        }
        let record: Record = items.isEmpty ? [:] : ["migrations": .array(values)]
        try backend.putOrRemove(record, for: Key(stored: changedCollection, in: Self.collection))
    }

    /// The progress of a migration. It is `nil` if the migration is complete or has not begun. A complete derivation
    /// has no item.
    subscript(migration: Migration) -> Progress? {
        get { items.first { $0.name.hasSameBytes(as: migration.name) }?.progress }
        set {
            items.removeAll { $0.name.hasSameBytes(as: migration.name) }
            if migration.isDerivation, newValue == nil { return }
            items.append((migration.name, migration.isAdditive, newValue))
        }
    }

    /// Returns whether a migration is complete.
    func hasApplied(_ migration: Migration) -> Bool {
        items.contains { $0.progress == nil && $0.name.hasSameBytes(as: migration.name) }
    }

    /// Returns the declared migrations that are not complete. `declared` contains the migrations of the collection that
    /// a program declares, in their order.
    ///
    /// Throws `DataStoreError` with the code `unknownMigration` if the program does not declare a breaking migration of
    /// the store, or declares the applied migrations in a different order.
    func pending(among declared: [Migration]) throws(DataStoreError) -> ArraySlice<Migration> {
        var rest = declared[...]
        for item in items where !DerivedFields.isMigration(item.name) {
            guard declared.contains(where: { $0.name.hasSameBytes(as: item.name) }) else {
                // Programs without an additive migration read and write its records correctly.
                if item.isAdditive { continue }
                throw Self.unknownMigration(item.name, of: changedCollection)
            }
            if item.progress != nil { continue }
            guard let next = rest.popFirst() else { break }
            guard next.name.hasSameBytes(as: item.name) else {
                throw DataStoreError(
                    .unknownMigration,
                    "the store applied the migration \(item.name.debugDescription) of \(changedCollection), which "
                        + "this program declares after \(next.name.debugDescription); declare new migrations last"
                )
            }
        }
        return rest
    }

    /// Returns an error which states that a program does not declare a breaking migration of the store.
    static func unknownMigration(_ name: String, of collection: String) -> DataStoreError {
        DataStoreError(
            .unknownMigration,
            "the migration \(name.debugDescription) has changed the collection "
                + "\(collection.escapingControlCharacters), and this program does not declare it; update this program")
    }

    /// Returns an error which states that a write needs a migration that is not complete.
    static func pendingMigration(_ migration: Migration) -> DataStoreError {
        DataStoreError(
            .migrationPending,
            "the migration \(migration.name.debugDescription) of "
                + "\(migration.collection.escapingControlCharacters) is not complete; migrate the store and retry")
    }
}

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
}

extension Migration {
    func inState(_ state: StoredMigration.State, recordCount: Int?) -> StoredMigration {
        StoredMigration(
            collection: collection, name: name, isAdditive: isAdditive, state: state, recordCount: recordCount)
    }
}

extension ReadTransaction {
    /// Returns the migrations that the store has applied or begun.
    func storedMigrations() throws -> [StoredMigration] {
        var names: [String] = []
        try forEachID(in: Scan(stored: MigrationHistory.collection)) { names.append(String(decoding: $0)) }
        return try names.flatMap { name in
            try MigrationHistory(of: name, in: self).items.map { item in
                StoredMigration(
                    collection: name, name: item.name, isAdditive: item.isAdditive,
                    state: item.progress == nil ? .applied : .incomplete, recordCount: item.progress?.count)
            }
        }
    }
}
