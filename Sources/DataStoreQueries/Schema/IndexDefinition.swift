/// The definition of an index: its field, and whether it is unique or covering.
///
/// ```swift
/// IndexDefinition.on("startsAt")
/// IndexDefinition.on("forecasts[].date")
/// IndexDefinition.unique("mailAddress", transform: .comparableMailAddress)
/// ```
///
/// A store keeps an entry for each value of the field with the id of its record, in the order of the values; a record
/// without a value has an entry, too. Entries change in the transaction that changes the record.
///
/// ## Maintenance
///
/// The definition is written into the store. Every program that writes through a ``SchemaStore`` maintains and enforces
/// all indexes of the store, whether it declared them or not. Two programs that declare an index of the same field
/// share it; it is unique, or covering, if either declaration is. An index is removed only by
/// ``SchemaStore/removeIndex(of:named:)``.
public struct IndexDefinition: Hashable, Sendable {
    /// The indexed field.
    package let field: QueryField

    /// Whether no two records of the collection may have the same value. A write that would add a second one fails with
    /// the code `notUnique`. Records without a value are exempt.
    package let isUnique: Bool

    /// Whether each entry contains the record. Queries then read the entries alone, at the cost of storing the record
    /// once more and of writing the entry whenever the record changes.
    ///
    /// Ignored for fields that can have several values.
    package let isCovering: Bool

    /// Creates a definition.
    ///
    /// - Parameters:
    ///   - field: The indexed field.
    ///   - isUnique: Whether no two records may have the same value.
    ///   - isCovering: Whether each entry contains the record.
    package init(_ field: QueryField, isUnique: Bool = false, isCovering: Bool = false) {
        self.field = field
        self.isUnique = isUnique
        self.isCovering = isCovering && field.isSingle
    }

    /// Returns an index of a field.
    ///
    /// - Parameters:
    ///   - path: The path to the field. `place.name` is a field of a nested record, `tags[]` each element of an array;
    ///     a backslash makes the next character part of a name. A ``Schema`` rejects a malformed path.
    ///   - transform: The computation on the values.
    ///   - isCovering: Whether each entry contains the record.
    /// - Returns: The definition.
    public static func on(
        _ path: String, transform: ValueTransform? = nil, isCovering: Bool = false
    ) -> IndexDefinition {
        IndexDefinition(field(path, transform), isCovering: isCovering)
    }

    /// Returns an index of a field of which no two records may have the same value.
    ///
    /// - Parameters:
    ///   - path: The path to the field. `place.name` is a field of a nested record, `tags[]` each element of an array;
    ///     a backslash makes the next character part of a name. A ``Schema`` rejects a malformed path.
    ///   - transform: The computation on the values.
    ///   - isCovering: Whether each entry contains the record.
    /// - Returns: The definition.
    public static func unique(
        _ path: String, transform: ValueTransform? = nil, isCovering: Bool = false
    ) -> IndexDefinition {
        IndexDefinition(field(path, transform), isUnique: true, isCovering: isCovering)
    }

    private static func field(_ path: String, _ transform: ValueTransform?) -> QueryField {
        let text = transform.map { "\(path):\($0.rawValue)" } ?? path
        return QueryField(parsing: text) ?? QueryField(malformed: text)
    }

    /// The name of the index among those of a collection: the text form of the field.
    package var name: String { field.name }
}
