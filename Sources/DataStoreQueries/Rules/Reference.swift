/// A field that contains the id of a record in another collection, or an array of such ids.
///
/// ```swift
/// let appointments = Schema.Collection(
///     "appointments", rules: CollectionRules(references: [Reference(from: "patientID", to: "patients")]))
/// ```
///
/// The store contains the definition, and every program that writes through a ``SchemaStore`` enforces it: at the end
/// of each transaction, every id in the field belongs to a record that exists. The order of the changes in the
/// transaction does not matter. A record without a value of the field refers to nothing.
public struct Reference: Hashable, Sendable {
    /// What happens to a record when the record to which it refers is deleted.
    ///
    /// ```swift
    /// Reference(from: "patientID", to: "patients", onDelete: .cascade)
    /// ```
    public enum DeletionRule: String, Sendable {
        /// The deletion fails with the code `brokenReference`.
        case restrict
        /// The record is deleted, too.
        case cascade
        /// The id is removed from the record: the field, or the element of the array.
        case clear
    }

    /// The field with the ids. It has an index, which the reference implies.
    package let field: QueryField

    /// The name of the collection to which the field refers.
    public internal(set) var target: String

    /// What happens to a record when the record to which it refers is deleted.
    package internal(set) var deletionRule: DeletionRule

    /// Creates a reference.
    ///
    /// - Parameters:
    ///   - path: The path of the field, e.g. `patientID`, `place.ownerID`, or `tagIDs[]` for an array of ids.
    ///   - target: The name of the collection to which the field refers. It may be the collection of the field itself.
    ///   - deletionRule: What happens to a record when the record to which it refers is deleted.
    public init(from path: String, to target: String, onDelete deletionRule: DeletionRule = .restrict) {
        self.init(from: QueryField(path: path), to: target, onDelete: deletionRule)
    }

    package init(from field: QueryField, to target: String, onDelete deletionRule: DeletionRule) {
        self.field = field
        self.target = target
        self.deletionRule = deletionRule
    }

    // MARK: Values

    /// The path of the field with the ids, e.g. `patientID` or `tagIDs[]`.
    public var path: String { field.path }

    /// Returns the ids of the records to which a record refers.
    ///
    /// - Parameter record: A record of the collection.
    /// - Returns: The ids in the order of the field's values.
    /// - Throws: `DataStoreError` with the code `corrupted` if the field cannot be read.
    public func ids(in record: Record) throws(DataStoreError) -> [String] { try ids(in: RecordView(record)) }

    func ids(in record: borrowing RecordView) throws(DataStoreError) -> [String] {
        let origin = try field.origin(in: record, id: "")
        var ids: [String] = []
        _ = field.stored.hasValue(of: origin) { value in
            if let id = Reference.id(of: value) { ids.append(id) }
            return false
        }
        return ids
    }

    /// Returns the id of the record to which a stored value refers, or `nil` if the value cannot be an id.
    private static func id(of value: Value) -> String? {
        switch value {
        case .string(let id): id
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// Returns the values with which a record can refer to the record with an id, as the index of the field contains
    /// them.
    func indexedValues(for id: String) -> [Value] {
        var values: [Value] = [.string(id)]
        if let number = Int64(id), String(number) == id { values.append(.integer(number)) }
        return values.compactMap { field.transform == nil ? $0 : field.transform?($0) }
    }

    /// Returns a copy of a record that no longer refers to the record with an id.
    func clearing(_ id: String, in record: Record) -> Record {
        guard let last = field.steps.last else { return record }
        let cleared = indexedValues(for: id)
        var changed = record
        changed.change(field.steps.dropLast()) { record in
            record.changeValues(of: last) { value in
                cleared.contains(field.transform?(value) ?? value) ? nil : value
            }
        }
        return changed
    }
}

// MARK: The stored form

extension Reference {
    var value: Value {
        .record(["field": .string(field.name), "to": .string(target), "onDelete": .string(deletionRule.rawValue)])
    }

    /// Parses the stored form. Returns `nil` if another version of the library wrote it.
    init?(_ value: Value) {
        guard case .record(let record) = value, record.count == 3, case .string(let name)? = record["field"],
            let field = QueryField(parsing: name), case .string(let target)? = record["to"],
            case .string(let rule)? = record["onDelete"], let deletionRule = DeletionRule(rawValue: rule)
        else { return nil }
        self.init(from: field, to: target, onDelete: deletionRule)
    }
}

extension ReadTransaction {
    /// Returns the references of all collections of the store, whichever program declared them. Use it in a tool that
    /// shows the records of any store.
    ///
    /// ```swift
    /// for (collection, reference) in try await storage.records.read({ try $0.references() }) {
    ///     print(collection, reference.path, "refers to", reference.target)
    /// }
    /// ```
    ///
    /// - Returns: Each reference with the name of the collection whose records refer to others.
    /// - Throws: `DataStoreError` if the store cannot be read, or with the code `unsupportedFormat` if a newer version
    ///   of the library declared a rule that this version does not know.
    public func references() throws(DataStoreError) -> [(collection: String, reference: Reference)] {
        try rules().all().flatMap { name, rules in rules.references.map { (name, $0) } }
    }

    /// Returns the records of any collection that have a value in a field, in the order of their ids. It uses an index
    /// of the field if the store has one, and otherwise reads the records one by one.
    ///
    /// ```swift
    /// let visits = try await storage.records.read { transaction in
    ///     try transaction.records(of: "visits", where: "patientID", equals: .string("p1"), limit: 50)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - path: The path of the field, e.g. `place.name`, or `tags[]` for the elements of an array.
    ///   - value: The value.
    ///   - id: The id after which the result begins, or `nil` for the first records.
    ///   - limit: The maximum number of records.
    /// - Returns: The records.
    /// - Throws: `DataStoreError` with the code `invalidQuery` if the path is not a path, or with another code if the
    ///   store cannot be read.
    public func records(
        of collection: String, where path: String, equals value: Value, after id: String? = nil, limit: Int
    ) throws -> [Entry] {
        guard let field = QueryField(parsing: path) else {
            throw DataStoreError(
                .invalidQuery, "\(path.escapingControlCharacters) is not the path of a field",
                operation: "find records of \(collection.escapingControlCharacters)")
        }
        let query = RecordQuery(
            collection, where: .compare(field, .equal, value), limit: limit,
            after: id.map { RecordQuery.Cursor(values: [], id: $0) }, indexes: [IndexDefinition(field)])
        return try records(matching: query).entries
    }
}
