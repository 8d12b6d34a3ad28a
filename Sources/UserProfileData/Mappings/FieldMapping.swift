import DataStoreCore
public import DataStoreQueries

/// How a field of an entity is asked for in records.
public struct FieldMapping: Sendable {
    /// What a record has of it.
    public let field: QueryField

    /// The fields of the parts, where the field has parts that are records.
    let parts: [String: FieldMapping]

    private let begins: @Sendable (String) -> Condition
    private let contains: @Sendable (String) -> Condition

    /// Asks for a field as it is.
    ///
    /// - Parameters:
    ///   - field: what a record has of it. Its values are operands of the entity's field as records have them: texts as
    ///     strings, points in time as dates.
    ///   - parts: the fields of the parts, where its values are records.
    public init(_ field: QueryField, parts: [String: FieldMapping] = [:]) {
        self.init(field, parts: parts, begins: { .beginsWith(field, $0) }, contains: { .contains(field, $0) })
    }

    /// Asks for a field whose text is compared in a way of its own.
    ///
    /// - Parameters:
    ///   - field: what a record has of it.
    ///   - begins: whether the text begins with another one.
    ///   - contains: whether another text is somewhere in it.
    public init(
        _ field: QueryField, begins: @escaping @Sendable (String) -> Condition,
        contains: @escaping @Sendable (String) -> Condition
    ) {
        self.init(field, parts: [:], begins: begins, contains: contains)
    }

    private init(
        _ field: QueryField, parts: [String: FieldMapping], begins: @escaping @Sendable (String) -> Condition,
        contains: @escaping @Sendable (String) -> Condition
    ) {
        self.field = field
        self.parts = parts
        self.begins = begins
        self.contains = contains
    }

    /// Whether the text begins with another one.
    func begins(with text: String) -> Condition { begins(text) }

    /// Whether another text is somewhere in it.
    func contains(_ text: String) -> Condition { contains(text) }
}
