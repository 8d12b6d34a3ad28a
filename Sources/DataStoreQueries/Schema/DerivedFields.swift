/// The fields of a collection's records that a mapping derives from text fields, e.g. the comparable forms of texts
/// that can be spelled in several ways. Queries and unique indexes use the derived fields.
///
/// The mapping stores the derived fields with each entity. A store derives them for records that are written without a
/// mapping, and after each migration. For records of an older program, the migrations ``migrations(of:)`` add them.
package struct DerivedFields: Sendable {
    private let sources: [QueryField]
    private let suffix: String
    private let derive: @Sendable (String) -> String

    /// Creates a declaration.
    ///
    /// - Parameters:
    ///   - sources: The paths of the text fields.
    ///   - suffix: The suffix of a derived field's name. The field is next to its source.
    ///   - derive: A function that returns the derived text.
    package init(
        of sources: [QueryField], suffix: String, _ derive: @escaping @Sendable (String) -> String
    ) {
        self.sources = sources
        self.suffix = suffix
        self.derive = derive
    }

    /// Returns whether a field is derived.
    package func contains(_ field: QueryField) -> Bool { sources.contains { $0.withSuffix(suffix) == field } }

    /// Returns a record with its derived fields. A record that lacks a source loses the field derived from it.
    package func adding(to record: Record) -> Record {
        func derived(_ value: Value) -> Value {
            if case .string(let text) = value { .string(derive(text)) } else { value }
        }
        return sources.reduce(into: record) { record, source in
            guard let last = source.steps.last else { return }
            record.change(source.steps.dropLast()) { record in
                let value: Value?
                switch record[last.name] {
                case .array(let elements)? where last.isEach: value = .array(elements.map(derived))
                case .string(let text)? where !last.isEach: value = .string(derive(text))
                // A program with the key has derived and sealed the field.
                case .sealed?: return
                default: value = nil
                }
                // Nearly all records already have the field, and an assignment would copy them.
                if record[last.name + suffix] != value { record[last.name + suffix] = value }
            }
        }
    }

    /// Returns whether each record of a collection has the fields with the right values.
    func areComplete(in collection: String, _ transaction: borrowing ReadTransaction) throws(DataStoreError) -> Bool {
        var isComplete = true
        try transaction.backend.scan(Scan(stored: collection)) { _, view in
            // A migration reports a record that cannot be read.
            do throws(DataStoreError) {
                let record = try view.record()
                isComplete = adding(to: record) == record
            } catch {
                isComplete = false
            }
            return isComplete ? .next : .stop
        }
        return isComplete
    }

    /// Returns the migrations that add the fields to the records of a collection, one for each field.
    func migrations(of collection: String) -> [Migration] {
        sources.map { source in
            let name = DerivedFields.migrationPrefix + source.withSuffix(suffix).name
            var migration = Migration(
                name, of: collection, isAdditive: false, .records({ [Entry(key: $1, record: $0)] }, into: []))
            migration.derivedFields = [collection: self]
            return migration
        }
    }

    /// The first character of the names of the migrations that add derived fields.
    private static let migrationPrefix = "$"

    /// Returns whether a name is that of a migration that adds a derived field.
    static func isMigration(_ name: String) -> Bool { name.hasPrefix(migrationPrefix) }
}

extension Migration {
    /// Returns a migrated record with its derived fields.
    func deriving(in entry: Entry) -> Entry {
        guard let fields = derivedFields[entry.key.collection] else { return entry }
        return Entry(key: entry.key, record: fields.adding(to: entry.record))
    }

    /// Returns whether this migration of the library has added its derived field to all records.
    ///
    /// The catalogue contains the name of a migration that has begun, and the history its progress. A store in memory
    /// compares the records instead, because a person may have edited its file.
    func hasAddedField(
        _ history: MigrationHistory, _ catalogue: IndexCatalogue, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> Bool {
        if transaction.backend.isInMemory {
            return try derivedFields[collection]?.areComplete(in: collection, transaction) != false
        }
        return history[self] == nil && catalogue.breakingMigrations.contains { $0.hasSameBytes(as: name) }
    }
}
