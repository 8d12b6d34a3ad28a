/// The definition of an index: the indexed field, and whether the index is unique or covering.
///
/// ```swift
/// IndexDefinition.on("startsAt")
/// IndexDefinition.on("forecasts[].date")
/// IndexDefinition.on("status", "startsAt")
/// IndexDefinition.unique("title", transform: .foldedText)
/// ```
///
/// For each value of the field, the store keeps an entry with the id of its record. The entries are ordered by value. A
/// record without a value has an entry, too. The transaction that changes a record also changes its entries.
///
/// ## Maintenance
///
/// The store contains the definition. Every program that writes through a ``SchemaStore`` maintains and enforces all
/// indexes of the store, including the indexes of other programs. If two programs declare an index of the same field,
/// they share it. The shared index is unique or covering if either declaration is. Only
/// ``SchemaStore/removeIndex(of:named:)`` and migrations remove an index.
public struct IndexDefinition: Hashable, Sendable {
    /// The indexed field. For a compound index, it combines several fields.
    package let field: QueryField

    /// Whether two records of the collection must have different values. A write that violates this fails with the code
    /// `notUnique`. Records without a value are exempt.
    package let isUnique: Bool

    /// Whether each entry contains the record. If `true`, queries need not read the records. However, the store
    /// contains a second copy of each record, and each change to a record rewrites its entry.
    ///
    /// The value is ignored if a record can have several values of the field.
    package let isCovering: Bool

    /// Creates a definition.
    ///
    /// - Parameters:
    ///   - field: The field whose values the index contains.
    ///   - isUnique: Whether two records must have different values.
    ///   - isCovering: Whether each entry contains the record.
    package init(_ field: QueryField, isUnique: Bool = false, isCovering: Bool = false) {
        self.field = field
        self.isUnique = isUnique
        self.isCovering = isCovering && field.isSingle
    }

    /// Returns the definition of an index that is not unique.
    ///
    /// A compound index orders records by the first field, records with equal values by the second field, and so on. A
    /// query can use it if its condition fixes the first fields to single values. The condition can also limit the next
    /// field to a range, and the query can sort by the fields that follow the fixed ones. For example,
    /// `.on("status", "startsAt")` answers `status == x && startsAt > y`, sorted by `startsAt`.
    ///
    /// - Parameters:
    ///   - path: The path to the field, e.g. `place.name` for a field of a nested record, or `tags[]` for each element
    ///     of an array. A backslash makes the next character part of a name. A ``Schema`` rejects an invalid path.
    ///   - others: The paths to the further fields of a compound index. None of its paths may lead through the elements
    ///     of an array. To index a transform of the values, append a colon and the raw value of the ``ValueTransform``
    ///     to a path, e.g. `birthday:date.monthDay@1`.
    ///   - transform: The transform of the values of a single field, or `nil` to index the values themselves.
    ///   - isCovering: Whether each entry contains the record.
    /// - Returns: The definition.
    public static func on(
        _ path: String, _ others: String..., transform: ValueTransform? = nil, isCovering: Bool = false
    ) -> IndexDefinition {
        IndexDefinition(paths: [path] + others, transform, isUnique: false, isCovering: isCovering)
    }

    /// Returns the definition of a unique index, which rejects a second record with the same values of all fields. A
    /// record without a value of one of the fields is exempt.
    ///
    /// - Parameters:
    ///   - path: The path to the field, as in ``on(_:_:transform:isCovering:)``.
    ///   - others: The paths to the further fields of a compound index.
    ///   - transform: The transform of the values of a single field, or `nil` to index the values themselves.
    ///   - isCovering: Whether each entry contains the record.
    /// - Returns: The definition.
    public static func unique(
        _ path: String, _ others: String..., transform: ValueTransform? = nil, isCovering: Bool = false
    ) -> IndexDefinition {
        IndexDefinition(paths: [path] + others, transform, isUnique: true, isCovering: isCovering)
    }

    /// Creates a definition of an index on the fields at the end of several paths.
    package init(paths: [String], _ transform: ValueTransform?, isUnique: Bool, isCovering: Bool) {
        let fields = paths.map { path in
            QueryField(path: transform.map { "\(path):\($0.rawValue)" } ?? path)
        }
        self.init(.compound(fields), isUnique: isUnique, isCovering: isCovering)
    }

    /// Creates a definition on a field that does not exist. A ``Schema`` rejects it.
    package init(malformed text: String) { self.init(QueryField(malformed: text)) }

    /// Returns whether this index is one of the same field, and has the traits of another definition (unique and
    /// covering).
    func satisfies(_ other: IndexDefinition) -> Bool {
        field == other.field && (isUnique || !other.isUnique) && (isCovering || !other.isCovering)
    }

    /// The name of the index, which is the text form of its field. It is unique within a collection.
    package var name: String { field.name }
}
