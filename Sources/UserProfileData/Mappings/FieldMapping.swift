public import DataStoreQueries

/// How a query reads a field of an entity in records.
public struct FieldMapping: Sendable {
    /// The field of the records. Its values are the operands of the entity's field in the form of records: texts as strings, points
    /// in time as dates.
    public let field: QueryField

    /// The fields of its elements, if these are records.
    let parts: [String: FieldMapping]

    /// Maps a field.
    ///
    /// - Parameters:
    ///   - field: The field of the records.
    ///   - parts: The fields of its elements, if these are records.
    public init(_ field: QueryField, parts: [String: FieldMapping] = [:]) {
        self.field = field
        self.parts = parts
    }
}
