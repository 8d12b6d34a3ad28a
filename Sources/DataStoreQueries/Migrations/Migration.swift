public import DataStoreCore

/// A named change of the records of one collection, which a store applies once.
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
/// A program declares its migrations in a list that only grows: it never removes, renames or reorders one, because a
/// store keeps the names of the applied migrations and compares them with the list. A migration works on records, not
/// on types of the program, so it means the same after the types have changed.
///
/// A migration is breaking, unless it is declared additive: a program that does not declare a breaking migration cannot
/// open a store that has applied it. Declare a migration additive if older programs read and write the changed records
/// correctly.
public struct Migration: Sendable {
    /// What a migration does.
    enum Change: Sendable {
        /// Replaces, moves or removes each record.
        case records(@Sendable (Record, Key) throws -> Entry?)
        /// Moves all records to another collection.
        case rename(to: String)
        /// Removes all records and indexes.
        case removal
        case indexAddition(IndexDefinition)
        case indexRemoval(String)
    }

    /// The name, which is unique among the migrations of a collection.
    let name: String
    /// The collection of the changed records.
    let collection: String
    /// Whether older programs read and write the changed records correctly.
    let isAdditive: Bool
    let change: Change
    /// Why the migration cannot be applied; `nil` if it can.
    let problem: String?

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
    ///   - name: The name, which is stored. It must stay the same.
    ///   - collection: The collection.
    ///   - isAdditive: Whether older programs read and write the changed records correctly.
    ///   - body: Returns the new record of a key, or `nil` to remove the record. It may run again for the same record,
    ///     so it must have no other effect. An error ends the migration; the batch of the record is left out.
    public init(
        _ name: String, of collection: String, isAdditive: Bool = false,
        _ body: @escaping @Sendable (_ record: Record, _ key: Key) throws -> Record?
    ) {
        self.init(
            name, of: collection, isAdditive: isAdditive,
            .records { record, key in try body(record, key).map { Entry(key: key, record: $0) } })
    }

    /// Creates a migration that changes, moves or removes each record.
    ///
    /// - Parameters:
    ///   - name: The name, which is stored. It must stay the same.
    ///   - collection: The collection.
    ///   - isAdditive: Whether older programs read and write the changed records correctly.
    ///   - body: Returns the new key and record, or `nil` to remove the record. The key must be in the same collection.
    ///     If another record has it, the migration fails. `body` may run again for the same record, so it must have no
    ///     other effect. An error ends the migration; the batch of the record is left out.
    public init(
        _ name: String, of collection: String, isAdditive: Bool = false,
        _ body: @escaping @Sendable (_ record: Record, _ key: Key) throws -> Entry?
    ) {
        self.init(name, of: collection, isAdditive: isAdditive, .records(body))
    }

    /// The collections that the migration changes.
    var collections: [String] {
        if case .rename(let target) = change { [collection, target] } else { [collection] }
    }

    /// Whether the migration changes a collection.
    func changes(_ collection: String) -> Bool { collections.contains { $0.hasSameBytes(as: collection) } }

    /// Whether two declarations are of the same migration.
    func isSame(as other: Migration) -> Bool {
        name.hasSameBytes(as: other.name) && collection.hasSameBytes(as: other.collection)
    }
}

extension Migration {
    /// The greatest number of bytes of a name.
    private static let maximumNameByteCount = 200

    /// Checks that the migration can be applied.
    ///
    /// - Throws: `DataStoreError`: `invalidKey` for a name that no collection can have, `misuse` for an invalid name,
    ///   path or target.
    func check() throws(DataStoreError) {
        let operation = "declare the migration \(name.debugDescription)"
        for collection in collections {
            _ = try MigrationHistory.key(of: collection)
            if MigrationHistory.reservedCollections.contains(collection) {
                throw DataStoreError(.misuse, "the collection \(collection) is reserved", operation: operation)
            }
        }
        var problem = problem
        if name.isEmpty || name.utf8.count > Self.maximumNameByteCount {
            problem = "its name must have 1 to \(Self.maximumNameByteCount) bytes"
        }
        if case .rename(let target) = change, target.hasSameBytes(as: collection) {
            problem = "the new name of the collection is the old one"
        }
        if let problem { throw DataStoreError(.misuse, problem, operation: operation) }
    }
}
