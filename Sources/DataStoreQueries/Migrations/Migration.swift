/// A named change to the records of one collection. A store applies each migration once.
///
/// ```swift
/// let migrations = [
///     Migration("2026-11 split name", of: "people") { record, key in
///         guard case .string(let name)? = record["name"] else { return record }
///         let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
///         var record = record
///         record["name"] = nil
///         record["givenName"] = .string(parts[0])
///         record["familyName"] = .string(parts.count > 1 ? parts[1] : "")
///         return record
///     },
///     .renameField("2026-12 title", of: "trips", "titel", to: "title"),
/// ]
/// ```
///
/// A program declares its migrations in a list. Only append to the list, and never remove, rename or reorder a
/// migration, because a store contains the names of the applied migrations and compares them with the list. A migration
/// reads and returns records instead of types of the program, so it does not depend on later changes of these types.
///
/// A migration is breaking unless it is declared additive. A program that does not declare a breaking migration cannot
/// open a store that has applied it. Declare a migration additive if older programs read and write the changed records
/// correctly.
public struct Migration: Sendable {
    /// The kind of change that a migration makes.
    enum Change: Sendable {
        /// Each record is replaced, moved, divided or removed. The new records may be in other collections.
        case records(@Sendable (Record, Key) throws -> [Entry], into: [String])
        /// All records are moved to another collection.
        case rename(to: String)
        /// All records and indexes are removed.
        case removal
        case indexAddition(IndexDefinition)
        case indexRemoval(String)

        /// A closure that returns the records which replace a record, or `nil` if no record changes.
        var body: (@Sendable (Record, Key) throws -> [Entry])? {
            switch self {
            case .records(let body, _): return body
            case .rename(let target): return { [Entry(key: try Key(collection: target, id: $1.id), record: $0)] }
            case .removal: return { _, _ in [] }
            case .indexAddition, .indexRemoval: return nil
            }
        }
    }

    /// The name of the migration, which is unique among the migrations of a collection.
    let name: String
    /// The name of the collection whose records the migration changes.
    let collection: String
    /// Whether older programs read and write the changed records correctly.
    let isAdditive: Bool
    let change: Change
    /// The reason why the migration is invalid, or `nil` if it is valid.
    let problem: String?
    /// The paths of a renamed field, or `nil` if the migration renames none.
    var renamedField: (old: QueryField, new: QueryField)?
    /// The derived fields of the changed records, by collection.
    var derivedFields: [String: DerivedFields] = [:]

    init(_ name: String, of collection: String, isAdditive: Bool, _ change: Change, problem: String? = nil) {
        self.name = name
        self.collection = collection
        self.isAdditive = isAdditive
        self.change = change
        self.problem = problem
    }

    /// Creates a migration that changes or removes each record.
    ///
    /// - Parameters:
    ///   - name: The name of the migration. Do not change it later, because stores contain it.
    ///   - collection: The name of the collection.
    ///   - isAdditive: Whether older programs read and write the changed records correctly.
    ///   - body: A closure that receives a record and its key. It returns the new record, or `nil` to remove the
    ///     record. It may run again for the same record, so it must have no other effect. An error ends the migration
    ///     and aborts the current batch.
    public init(
        _ name: String, of collection: String, isAdditive: Bool = false,
        _ body: @escaping @Sendable (_ record: Record, _ key: Key) throws -> Record?
    ) {
        self.init(
            name, of: collection, isAdditive: isAdditive,
            .records({ record, key in try body(record, key).map { [Entry(key: key, record: $0)] } ?? [] }, into: []))
    }

    /// Creates a migration that changes, moves or removes each record.
    ///
    /// - Parameters:
    ///   - name: The name of the migration. Do not change it later, because stores contain it.
    ///   - collection: The name of the collection.
    ///   - isAdditive: Whether older programs read and write the changed records correctly.
    ///   - body: A closure that receives a record and its key. It returns the new key and record, or `nil` to remove
    ///     the record. The key must be in the same collection. If another record has the key, the migration fails. The
    ///     closure may run again for the same record, so it must have no other effect. An error ends the migration and
    ///     aborts the current batch.
    public init(
        _ name: String, of collection: String, isAdditive: Bool = false,
        _ body: @escaping @Sendable (_ record: Record, _ key: Key) throws -> Entry?
    ) {
        self.init(
            name, of: collection, isAdditive: isAdditive,
            .records({ record, key in try body(record, key).map { [$0] } ?? [] }, into: []))
    }

    /// Creates a migration that divides each record into several, or moves records to other collections, which may have
    /// records already.
    ///
    /// ```swift
    /// Migration("2026-11 addresses", of: "people", into: ["addresses"]) { record, key in
    ///     var person = record
    ///     guard case .record(let address)? = person["address"] else { return [Entry(key: key, record: person)] }
    ///     person["address"] = nil
    ///     let addressKey = try Key(collection: "addresses", id: key.id)
    ///     return [Entry(key: key, record: person), Entry(key: addressKey, record: address)]
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the migration. Do not change it later, because stores contain it.
    ///   - collection: The name of the collection.
    ///   - others: The names of the other collections to which the migration adds records.
    ///   - isAdditive: Whether older programs read and write the changed records correctly.
    ///   - body: A closure that receives a record and its key. It returns the records that replace it, with their keys,
    ///     or none to remove it. If another record has one of the keys, the migration fails. The closure may run again
    ///     for the same record, so it must have no other effect. An error ends the migration and aborts the current
    ///     batch.
    public init(
        _ name: String, of collection: String, into others: [String], isAdditive: Bool = false,
        _ body: @escaping @Sendable (_ record: Record, _ key: Key) throws -> [Entry]
    ) {
        self.init(name, of: collection, isAdditive: isAdditive, .records(body, into: others))
    }

    /// The names of the collections that the migration changes.
    var collections: [String] {
        switch change {
        case .rename(let target): [collection, target]
        case .records(_, let others): [collection] + others
        default: [collection]
        }
    }

    /// Returns whether the migration changes a collection.
    func changes(_ collection: String) -> Bool { collections.contains { $0.hasSameBytes(as: collection) } }

    /// Whether the library declares the migration, to add a derived field. Such a migration runs after those of the
    /// program, and no order is required.
    var isDerivation: Bool { DerivedFields.isMigration(name) }

    /// Returns whether two declarations have the same name and collection.
    func isSame(as other: Migration) -> Bool {
        name.hasSameBytes(as: other.name) && collection.hasSameBytes(as: other.collection)
    }
}

extension Migration {
    /// The maximum number of bytes of a name.
    private static let maximumNameByteCount = 200

    /// Validates the migration.
    ///
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `invalidKey` if the name of a collection is invalid.
    ///   - `misuse` if the name, a path or a target of the migration is invalid.
    func check() throws(DataStoreError) {
        for collection in collections {
            try Key.validate(collection: collection)
            _ = try Key(collection: MigrationHistory.collection, id: collection)
        }
        var problem = problem
        if isDerivation { problem = "its name begins with $, which the library uses" }
        if name.isEmpty || name.utf8.count > Self.maximumNameByteCount {
            problem = "its name must have 1 to \(Self.maximumNameByteCount) bytes"
        }
        if case .rename(let target) = change, target.hasSameBytes(as: collection) {
            problem = "the new name of the collection equals the old name"
        }
        if let reserved = collections.first(where: MigrationHistory.reservedCollections.contains) {
            problem = "the collection \(reserved) is reserved"
        }
        if let problem { throw .invalidDeclaration(of: "the migration \(name.debugDescription)", problem) }
    }
}
