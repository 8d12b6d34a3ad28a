public import DataStoreQueries

/// A mapping from a field of an entity to a field of its records, for queries.
public struct FieldMapping: Sendable {
    /// The stored field. Its values have the kinds of the operands: strings for text, dates for points in time.
    package let field: QueryField

    /// The fields of its elements, if these are records.
    let parts: [String: FieldMapping]

    /// The kind of values that queries compare the field with; `nil` if it is unknown.
    private let kind: FieldTree.Kind?

    /// Creates a mapping.
    ///
    /// - Parameters:
    ///   - field: The field of the records.
    ///   - parts: If the values of the field are records, the mappings of their fields, by the names in the entity.
    public init(_ field: QueryField, parts: [String: FieldMapping] = [:]) {
        self.init(field, parts: parts, kind: nil)
    }

    /// Creates a mapping of a field whose kind of values is known.
    package init(_ field: QueryField, parts: [String: FieldMapping] = [:], kind: FieldTree.Kind?) {
        self.field = field
        self.parts = parts
        self.kind = kind
    }

    /// The field and its parts, for a schema to check.
    var queriedFields: [Schema.QueriedField] {
        [Schema.QueriedField(field, kind: kind, isRecord: !parts.isEmpty)]
            + parts.values.flatMap { part in
                part.queriedFields.map {
                    Schema.QueriedField(field.part($0.field), kind: $0.kind, isRecord: $0.isRecord)
                }
            }
    }
}
