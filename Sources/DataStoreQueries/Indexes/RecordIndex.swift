import DataStoreCore

/// Something by which the records of a collection are found and sorted without looking at all of them.
///
/// ```swift
/// let byBirthday = RecordIndex(by: QueryField("birthday"))
/// try await store.write { transaction in
///     transaction.maintain([byBirthday], of: "users")
///     try transaction.put(record, for: key)
/// }
/// let first = RecordQuery("users", sort: [.ascending(QueryField("birthday"))], limit: 50, indexes: [byBirthday])
/// ```
///
/// A store keeps, beside the records, an entry for each value of the field with the id of its record, in the order of the
/// values; a record without a value has an entry, too. Entries change in the transaction that changes the record, so they
/// are always those of the records.
///
/// ## Who keeps it
///
/// What a field means is in the program, not in the store. So each write says which indexes it knows
/// (`maintain(_:of:)`), and each query which ones it may use (``RecordQuery/indexes``). A write that does
/// not know an index of the collection marks it as outdated, in the same transaction: then no query uses it any more, and
/// `buildIndexes(_:of:progress:)` makes it again. Until then its entries stay, with what they have of records, also of
/// removed ones; they go when the whole collection is removed.
///
/// An index is made by the first write that knows it where the collection has few records, otherwise by
/// `buildIndexes(_:of:progress:)`. Stores that have everything in memory make it when it is first asked for.
public struct RecordIndex: Sendable {
    /// What the entries are of.
    public let field: QueryField

    /// Whether no two records of the collection may have the same value. A write that would is refused with
    /// `notUnique`. Records without a value are not concerned.
    ///
    /// What one program has made unique stays so for all that know the index, until
    /// `removeIndex(of:named:)`.
    public let isUnique: Bool

    /// To be raised where the field is computed in another way: then the index is made again.
    public let version: Int

    /// Whether each entry holds the record that it leads to. Then a query is answered by the entries alone, one after the
    /// other, where it would look for each record otherwise. It costs the room of the record once more, and a write of the
    /// entry whenever anything in the record changes.
    ///
    /// Only an index of a field that has one value at most is: an entry for each of several would hold the record each time.
    /// What one program has made covering stays so, as what is unique does.
    public let isCovering: Bool

    /// Describes an index.
    ///
    /// - Parameters:
    ///   - field: what the entries are of.
    ///   - isUnique: whether no two records may have the same value.
    ///   - version: to be raised where the field is computed in another way.
    ///   - isCovering: whether each entry holds the record; without meaning for a field that may have several values.
    public init(by field: QueryField, isUnique: Bool = false, version: Int = 1, isCovering: Bool = false) {
        self.field = field
        self.isUnique = isUnique
        self.version = version
        self.isCovering = isCovering && field.isSingle
    }

    /// What identifies it among those of a collection: the name of the field.
    public var name: String { field.name }
}
