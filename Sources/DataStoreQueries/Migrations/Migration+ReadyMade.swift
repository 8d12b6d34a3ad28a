public import DataStoreCore

// Migrations for the changes that most programs need. A path names a field of a nested record as `place.name`, and a
// field of each element of an array as `stops[].name`.
extension Migration {
    /// Returns a migration that gives a field another name.
    ///
    /// It fails if a record already has a field of the new name.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The collection.
    ///   - path: The path of the field, e.g. `place.nam`.
    ///   - newName: The new name of the field in the same record, e.g. `name`.
    /// - Returns: The migration.
    public static func renameField(
        _ name: String, of collection: String, _ path: String, to newName: String
    ) -> Migration {
        Migration(name, of: collection, isAdditive: false, at: path) { record, field in
            guard let value = record[field.name], !newName.hasSameBytes(as: field.name) else { return }
            guard record[newName] == nil else {
                throw DataStoreError(.invalidRecord, "the record has both \(path) and \(newName); remove one of them")
            }
            record[field.name] = nil
            record[newName] = value
        }
    }

    /// Returns a migration that converts the values of a field, e.g. from an integer to a string.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The collection.
    ///   - path: The path of the field. `tags[]` converts each element.
    ///   - convert: Returns the new value, or `nil` to remove the field or element. It is called for each existing
    ///     value.
    /// - Returns: The migration.
    public static func convert(
        _ name: String, of collection: String, _ path: String,
        _ convert: @escaping @Sendable (_ value: Value) throws -> Value?
    ) -> Migration {
        Migration(name, of: collection, isAdditive: false, at: path) { record, field in
            guard let value = record[field.name] else { return }
            if field.isEach, case .array(let elements) = value {
                record[field.name] = .array(try elements.compactMap(convert))
            } else if !field.isEach {
                record[field.name] = try convert(value)
            }
        }
    }

    /// Returns an additive migration that adds a field to the records that do not have it.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The collection.
    ///   - path: The path of the field. A nested record that does not exist is not created.
    ///   - value: The value.
    /// - Returns: The migration.
    public static func backfill(
        _ name: String, of collection: String, _ path: String, with value: Value
    ) -> Migration {
        Migration(name, of: collection, isAdditive: true, at: path) { record, field in
            if record[field.name] == nil { record[field.name] = value }
        }
    }

    /// Returns a migration that moves all records of a collection to another one.
    ///
    /// The indexes move, too. The migration fails if the other collection has a record with the same id.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The collection.
    ///   - newName: The new name of the collection.
    /// - Returns: The migration.
    public static func renameCollection(_ name: String, _ collection: String, to newName: String) -> Migration {
        Migration(name, of: collection, isAdditive: false, .rename(to: newName))
    }

    /// Returns a migration that removes all records and indexes of a collection. The type of its entities is not
    /// needed.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The collection.
    /// - Returns: The migration.
    public static func removeCollection(_ name: String, _ collection: String) -> Migration {
        Migration(name, of: collection, isAdditive: false, .removal)
    }

    /// Returns an additive migration that adds an index, as a declaration of the schema does.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The collection.
    ///   - index: The index.
    /// - Returns: The migration.
    public static func addIndex(_ name: String, of collection: String, _ index: IndexDefinition) -> Migration {
        Migration(name, of: collection, isAdditive: true, .indexAddition(index), problem: problem(withPath: index.name))
    }

    /// Returns an additive migration that removes an index. If it was unique, its values may repeat from then on.
    ///
    /// - Parameters:
    ///   - name: The name of the migration.
    ///   - collection: The collection.
    ///   - index: The name of the index, e.g. `title`.
    /// - Returns: The migration.
    public static func removeIndex(_ name: String, of collection: String, _ index: String) -> Migration {
        Migration(name, of: collection, isAdditive: true, .indexRemoval(index))
    }

    /// Creates a migration that changes the records in which a path ends. `body` receives the last step of the path.
    private init(
        _ name: String, of collection: String, isAdditive: Bool, at path: String,
        _ body: @escaping @Sendable (inout Record, QueryField.Step) throws -> Void
    ) {
        let field = QueryField(parsing: path)
        let steps = field?.transform == nil ? field?.steps ?? [] : []
        guard let last = steps.last else {
            // A schema rejects the migration.
            self.init(
                name, of: collection, isAdditive: isAdditive, .records { Entry(key: $1, record: $0) },
                problem: "\(path.debugDescription) is not a path")
            return
        }
        let parents = steps.dropLast()
        self.init(
            name, of: collection, isAdditive: isAdditive,
            .records { record, key in
                let changed = try record.changing(parents) { try body(&$0, last) }
                return Entry(key: key, record: changed)
            })
    }

    private static func problem(withPath path: String) -> String? {
        QueryField(parsing: path) == nil ? "\(path.debugDescription) is not a path" : nil
    }
}

extension Record {
    /// Returns the record with each record changed to which a path leads.
    fileprivate func changing(
        _ path: ArraySlice<QueryField.Step>, _ body: (inout Record) throws -> Void
    ) throws -> Record {
        var changed = self
        guard let step = path.first else {
            try body(&changed)
            return changed
        }
        func change(_ value: Value) throws -> Value {
            guard case .record(let record) = value else { return value }
            return .record(try record.changing(path.dropFirst(), body))
        }
        switch self[step.name] {
        case .array(let elements)? where step.isEach: changed[step.name] = .array(try elements.map(change))
        case let value? where !step.isEach: changed[step.name] = try change(value)
        default: break
        }
        return changed
    }
}
