/// A translation of a field of an entity to a field of its stored records. Queries use it to find the value that a
/// condition compares.
///
/// ```swift
/// let queryFields = ["monthDay": FieldMapping(QueryField("birthday", transform: .monthDay))]
/// ```
public struct FieldMapping: Sendable {
    /// The record field that a query compares. Its values may be computed from a stored field, e.g. the month and day
    /// of a birthday. The kind of the values matches the operands of the query, e.g. a date for a point in time.
    package let field: QueryField

    /// The translations of the fields of nested records, by their names in the entity. The dictionary is empty if the
    /// field has no nested records.
    let parts: [String: FieldMapping]

    /// The kind of values in the field, or `nil` if it is unknown.
    private let kind: FieldTree.Kind?

    /// The field that contains mail addresses as typed, or `nil` if the values are not mail addresses. ``field`` then
    /// contains their comparable forms.
    private(set) var typedMailAddress: QueryField?

    /// The path of the sealed field and its sealing, or `nil` if the values are not sealed. The sealing is `nil` if no
    /// query can compare the values, e.g. the month and day of a sealed birthday.
    private(set) var sealed: (path: String, sealing: (any FieldSealing)?)?

    /// The reason why the field is unknown, or `nil` if it is known. Declaring the collection then fails.
    private let problem: String?

    /// Whether records have the field.
    package var isKnown: Bool { problem == nil }

    /// Creates a translation.
    ///
    /// - Parameters:
    ///   - field: The record field that a query compares. Its values may be computed from a stored field.
    ///   - parts: The translations of the fields of nested records, by their names in the entity. Pass them if the
    ///     values of `field` are records.
    public init(_ field: QueryField, parts: [String: FieldMapping] = [:]) {
        self.init(field, parts: parts, kind: nil)
    }

    /// Creates a translation to a field. `kind` is the kind of the field's values, or `nil` if it is unknown. If
    /// `problem` is not `nil`, the declaration of the collection fails with this reason.
    package init(
        _ field: QueryField, parts: [String: FieldMapping] = [:], kind: FieldTree.Kind?, problem: String? = nil
    ) {
        self.field = field
        self.parts = parts
        self.kind = kind
        self.problem = problem
    }

    /// Returns the value that a query compares with the values of the field. The operand may have any case if the field
    /// ignores case. Of a sealed field, it is the blind of the operand.
    func value(_ operand: Operand) throws(DataStoreError) -> Value {
        let value = Value(operand)
        if let sealing = try comparedSealing() { return try sealing.blind(of: value) }
        return caseFolding.flatMap { $0(value) } ?? value
    }

    /// The transform of the field if it ignores case, or `nil` if not.
    var caseFolding: ValueTransform? {
        field.transform == .asciiLowercase || field.transform == .foldedText ? field.transform : nil
    }

    /// Creates a translation to a field that contains mail addresses. Queries compare the comparable forms in the field
    /// derived from it.
    package init(mailAddress field: QueryField) {
        self.init(field.withSuffix(FieldMapping.mailAddressSuffix))
        typedMailAddress = field
    }

    /// The suffix of the name of a field with the comparable forms of mail addresses.
    package static let mailAddressSuffix = "-key"

    /// The fields that contain mail addresses as typed: this field, or the fields of its nested records.
    private var mailAddresses: [QueryField] {
        (typedMailAddress.map { [$0] } ?? []) + parts.values.flatMap { $0.mailAddresses.map { field.part($0) } }
    }

    /// Returns the fields with the comparable forms of all mail addresses of an entity, or `nil` if it has none.
    package static func comparableMailAddresses(in fields: [String: FieldMapping]) -> DerivedFields? {
        let sources = fields.values.flatMap(\.mailAddresses).sorted { $0.name < $1.name }
        guard !sources.isEmpty else { return nil }
        return DerivedFields(of: sources, suffix: mailAddressSuffix, MailAddress.comparable)
    }

    /// This field and the fields of its nested records. A schema validates their names.
    var queriedFields: [Schema.QueriedField] {
        if sealed != nil { return [] }
        let queriedParts = parts.values.flatMap(\.queriedFields).map { part in
            (field.part(part.field), part.kind, part.isRecord, part.problem)
        }
        return [(typedMailAddress ?? field, kind, !parts.isEmpty, problem)] + queriedParts
    }
}

// Queries of sealed fields compare blinds, which only tell whether values are equal.
extension FieldMapping {
    /// Returns the translation to the same field after a field of the record has been sealed.
    func sealed(_ definition: SealedFieldDefinition, by sealing: any FieldSealing) -> FieldMapping {
        guard definition.covers(field) else { return self }
        var mapping = FieldMapping(definition.field, kind: nil)
        mapping.typedMailAddress = typedMailAddress
        // Errors name a mail address as the program declares it.
        let path = (typedMailAddress ?? definition.field).path
        mapping.sealed = (path, definition.isCompared(field) ? sealing : nil)
        return mapping
    }

    /// Returns the sealing whose blinds queries compare, or `nil` if the field is not sealed. Throws an error if no
    /// query can compare the values.
    func comparedSealing() throws(DataStoreError) -> (any FieldSealing)? {
        guard let sealed else { return nil }
        guard let sealing = sealed.sealing else { throw FieldMapping.misuse(sealed.path) }
        return sealing
    }

    /// Returns the error of a query that sealed values cannot answer.
    static func misuse(_ path: String) -> DataStoreError {
        DataStoreError(
            .misuse,
            "the field \(path) is sealed; a searchable field can be compared with ==, != and isIn, and each sealed "
                + "field with nil, but it cannot be sorted, grouped or searched in another way",
            operation: "find records")
    }
}
