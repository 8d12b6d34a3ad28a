import DataStoreCore

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
    package let target: String

    /// What happens to a record when the record to which it refers is deleted.
    package internal(set) var deletionRule: DeletionRule

    /// Creates a reference.
    ///
    /// - Parameters:
    ///   - path: The path of the field, e.g. `patientID`, `place.ownerID`, or `tagIDs[]` for an array of ids.
    ///   - target: The name of the collection to which the field refers. It may be the collection of the field itself.
    ///   - deletionRule: What happens to a record when the record to which it refers is deleted.
    public init(from path: String, to target: String, onDelete deletionRule: DeletionRule = .restrict) {
        self.init(from: QueryField(parsing: path) ?? QueryField(malformed: path), to: target, onDelete: deletionRule)
    }

    package init(from field: QueryField, to target: String, onDelete deletionRule: DeletionRule) {
        self.field = field
        self.target = target
        self.deletionRule = deletionRule
    }

    // MARK: Values

    /// Returns the ids of the records to which a record refers.
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
        func isCleared(_ value: Value) -> Bool {
            cleared.contains(field.transform?(value) ?? value)
        }
        return record.changing(field.steps.dropLast()) { record in
            if last.isEach, case .array(let elements)? = record[last.name] {
                record[last.name] = .array(elements.filter { !isCleared($0) })
            } else if let value = record[last.name], isCleared(value) {
                record[last.name] = nil
            }
        }
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
