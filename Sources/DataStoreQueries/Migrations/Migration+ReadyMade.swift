// These migrations make the changes that most programs need. A path such as `place.name` refers to a field of a nested
// record, and `stops[].name` to a field of each element of an array.
extension Migration {
    /// Returns a migration that renames a field.
    ///
    /// A sealed field stays sealed, and the migration needs no key. The migration fails if a record already has a field
    /// with the new name.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The name of the collection.
    ///   - path: The path of the field, e.g. `place.titel`.
    ///   - newName: The new name of the field in the same record, e.g. `title`. It is a name and not a path.
    /// - Returns: The migration.
    public static func renameField(
        _ name: String, of collection: String, _ path: String, to newName: String
    ) -> Migration {
        let isName = QueryField(parsing: newName) == QueryField(newName)
        let problem = "\(newName.debugDescription) is not a name; pass the last step of the new path"
        var migration = Migration(
            name, of: collection, isAdditive: false, at: path, problem: isName ? nil : problem
        ) { record, field in
            guard let value = record[field.name], !newName.hasSameBytes(as: field.name) else { return }
            guard record[newName] == nil else {
                throw DataStoreError(.invalidRecord, "the record has both \(path) and \(newName); remove one of them")
            }
            record[field.name] = nil
            record[newName] = value
        }
        if let field = QueryField(parsing: path) { migration.renamedField = (field, field.renamed(newName)) }
        return migration
    }

    /// Returns a migration that converts the values of a field, e.g. from an integer to a string.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The name of the collection.
    ///   - path: The path of the field, e.g. `tags[]` to convert each element of an array.
    ///   - convert: A closure that receives each existing value. It returns the new value, or `nil` to remove the field
    ///     or element.
    /// - Returns: The migration.
    public static func convert(
        _ name: String, of collection: String, _ path: String,
        _ convert: @escaping @Sendable (_ value: Value) throws -> Value?
    ) -> Migration {
        Migration(name, of: collection, isAdditive: false, at: path) { record, field in
            try record.changeValues(of: field, convert)
        }
    }

    /// Returns an additive migration that adds a field to every record that lacks the field.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The name of the collection.
    ///   - path: The path of the field. A missing nested record is not created.
    ///   - value: The value of the added field.
    /// - Returns: The migration.
    public static func backfill(
        _ name: String, of collection: String, _ path: String, with value: Value
    ) -> Migration {
        Migration(name, of: collection, isAdditive: true, at: path) { record, field in
            if record[field.name] == nil { record[field.name] = value }
        }
    }

    /// Returns a migration that moves all records and indexes of a collection to another collection.
    ///
    /// The migration fails if the other collection has a record with the same id.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The name of the collection.
    ///   - newName: The name of the other collection.
    /// - Returns: The migration.
    public static func renameCollection(_ name: String, _ collection: String, to newName: String) -> Migration {
        Migration(name, of: collection, isAdditive: false, .rename(to: newName))
    }

    /// Returns a migration that removes all records and indexes of a collection. The program need not declare the
    /// entity type of the collection.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The name of the collection.
    /// - Returns: The migration.
    public static func removeCollection(_ name: String, _ collection: String) -> Migration {
        Migration(name, of: collection, isAdditive: false, .removal)
    }

    /// Returns an additive migration that adds an index, as a declaration in the schema does.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The name of the collection.
    ///   - index: The definition of the index.
    /// - Returns: The migration.
    public static func addIndex(_ name: String, of collection: String, _ index: IndexDefinition) -> Migration {
        Migration(
            name, of: collection, isAdditive: true, .indexAddition(index),
            problem: QueryField(parsing: index.name) == nil ? isNoPath(index.name) : nil)
    }

    /// Returns an additive migration that removes an index. If the index was unique, records may have equal values from
    /// then on.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The name of the collection.
    ///   - index: The name of the index, e.g. `title`.
    /// - Returns: The migration.
    public static func removeIndex(_ name: String, of collection: String, _ index: String) -> Migration {
        Migration(name, of: collection, isAdditive: true, .indexRemoval(index))
    }

    /// Creates a migration that changes a field. `body` receives each record or nested record that can contain the
    /// field, and the last step of the path.
    private init(
        _ name: String, of collection: String, isAdditive: Bool, at path: String, problem: String? = nil,
        _ body: @escaping @Sendable (inout Record, QueryField.Step) throws -> Void
    ) {
        let field = QueryField(parsing: path)
        let steps = field?.transform == nil ? field?.steps ?? [] : []
        let (parents, last) = (steps.dropLast(), steps.last)
        self.init(
            name, of: collection, isAdditive: isAdditive,
            .records(
                { record, key in
                    // A schema rejects a migration without a path.
                    var changed = record
                    try changed.change(parents) { if let last { try body(&$0, last) } }
                    return [Entry(key: key, record: changed)]
                }, into: []), problem: last == nil ? Self.isNoPath(path) : problem)
    }

    private static func isNoPath(_ path: String) -> String { "\(path.debugDescription) is not a path" }
}
