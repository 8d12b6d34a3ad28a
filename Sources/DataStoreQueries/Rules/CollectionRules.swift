/// The rules of a collection besides its indexes: its references, its expiry, its owner and its sealed fields.
///
/// ```swift
/// let sessions = Schema.Collection("sessions", rules: CollectionRules(expiresAt: "endsAt", owner: "userID"))
/// ```
///
/// Like the indexes, they are stored in the store, and every program enforces them.
public struct CollectionRules: Hashable, Sendable {
    /// The references from the records of the collection to other records.
    package private(set) var references: [Reference]

    /// The field with the date from which a record counts as missing, or `nil` if the records do not expire.
    package private(set) var expiry: QueryField?

    /// The field with the id of the user to whom a record belongs, or `nil` if the records have no owner.
    package private(set) var owner: QueryField?

    /// The sealed fields. A program with a sealing key adds and removes them, and a schema does not declare them.
    package internal(set) var sealed: [SealedField] = []

    /// The rules that another version of the library declared, in their stored form.
    private var unknown = Record()

    /// No rules.
    public static let none = CollectionRules()

    /// Creates the rules of a collection.
    ///
    /// - Parameters:
    ///   - references: The references from the records of the collection to other records.
    ///   - expiry: The path of the field with the date from which a record counts as missing, e.g. `expiresAt`. A
    ///     record without a date does not expire.
    ///   - owner: The path of the field with the id of the user to whom a record belongs.
    public init(references: [Reference] = [], expiresAt expiry: String? = nil, owner: String? = nil) {
        self.init(
            references: references, expiresAt: expiry.map(QueryField.init(path:)),
            owner: owner.map(QueryField.init(path:)))
    }

    package init(references: [Reference], expiresAt expiry: QueryField?, owner: QueryField?) {
        self.references = references
        self.expiry = expiry
        self.owner = owner
    }

    /// Whether the collection has no rules.
    var isEmpty: Bool { references.isEmpty && expiry == nil && owner == nil && sealed.isEmpty && unknown.isEmpty }

    /// The name of a rule that another version of the library declared, or `nil` if this version knows all rules.
    var unknownName: String? { unknown.first?.name }

    /// The fields of the references, the expiry and the owner. The rules need an index on each of them: references to
    /// find the records that refer to a deleted one, expiry to find expired records, and owners to find the records of
    /// a user.
    package var fields: [QueryField] { references.map(\.field) + [expiry, owner].compactMap(\.self) }

    /// Returns the indexes of a collection with the given declared indexes and these rules.
    package func completing(_ declared: [IndexDefinition]) -> [IndexDefinition] {
        if isEmpty { return declared }
        let missing = fields.filter { needed in !declared.contains { $0.field == needed } }
        return declared + missing.map { IndexDefinition($0) }
    }

    /// Returns whether these rules contain all of the given rules.
    func satisfies(_ declared: CollectionRules) -> Bool {
        declared.references.allSatisfy(references.contains) && (declared.expiry == nil || declared.expiry == expiry)
            && (declared.owner == nil || declared.owner == owner)
    }

    /// Adds the rules that a program declares. A declared rule replaces the stored rule of the same field.
    mutating func add(_ declared: CollectionRules) {
        for reference in declared.references {
            references.removeAll { $0.field == reference.field }
            references.append(reference)
        }
        expiry = declared.expiry ?? expiry
        owner = declared.owner ?? owner
    }

    /// Replaces the rule of the references that restrict deletions.
    mutating func replaceRestrictions(by rule: Reference.DeletionRule) {
        for index in references.indices where references[index].deletionRule == .restrict {
            references[index].deletionRule = rule
        }
    }

    /// Makes the references to a collection refer to another one.
    mutating func rename(_ collection: String, to newName: String) {
        for index in references.indices where references[index].target.hasSameBytes(as: collection) {
            references[index].target = newName
        }
    }
}

// MARK: The stored form

extension CollectionRules {
    var record: Record {
        var record = Record()
        if !references.isEmpty { record["references"] = .array(references.map(\.value)) }
        if let expiry { record["expiresAt"] = .string(expiry.name) }
        if let owner { record["owner"] = .string(owner.name) }
        if !sealed.isEmpty { record["sealed"] = .array(sealed.map(\.value)) }
        for rule in unknown { record[rule.name] = rule.value }
        return record
    }

    /// Parses the stored form. A rule that this version would store in another form counts as unknown.
    init(_ value: Value) {
        func field(_ value: Value?) -> QueryField? {
            if case .string(let name)? = value { QueryField(parsing: name) } else { nil }
        }
        func elements<Element>(_ value: Value?, _ element: (Value) -> Element?) -> [Element] {
            if case .array(let values)? = value { values.compactMap(element) } else { [] }
        }
        let stored: Record = if case .record(let record) = value { record } else { ["rules": value] }
        self.init(
            references: elements(stored["references"], Reference.init), expiresAt: field(stored["expiresAt"]),
            owner: field(stored["owner"]))
        sealed = elements(stored["sealed"], SealedField.init)
        let known = record
        for rule in stored where known[rule.name] != rule.value { unknown[rule.name] = rule.value }
    }
}
