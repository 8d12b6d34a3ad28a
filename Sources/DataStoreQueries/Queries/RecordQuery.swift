/// A query of the records of one collection: a condition, an order, and the maximum number of records on a page.
///
/// ```swift
/// let query = RecordQuery(
///     "users", where: .compare(QueryField("birthday"), .less, .string("1990-01-01")),
///     sort: [.ascending(QueryField("birthday"))], limit: 50)
/// let page = try await store.read { try $0.records(matching: query) }
/// ```
///
/// A query returns the same result on every store, with and without indexes. It uses an index if the index narrows the
/// records or has the order of the sort. Otherwise it scans the collection. A scan in the order of ids begins after the
/// cursor and ends with the page.
///
/// ## Conditions
///
/// - A condition is either true or false. `a != b` is the negation of `a == b`, so it is true if the field is missing.
///   Every other comparison with a missing field is false.
/// - Values of different kinds are never equal, and neither is less than the other. Integers and reals are one kind.
///   They are compared without rounding, so `9007199254740993` is not equal to `9007199254740992.0`. `0.0` is equal to
///   `-0.0`.
/// - NaN is not equal to any value, not even to itself, and is neither less nor greater than another value.
/// - Strings are compared by their UTF-8 bytes, without normalization and without the rules of a language. So are
///   prefixes, suffixes, substrings and patterns. If a ``TextMatch`` ignores case, the full Unicode case foldings of
///   both texts are compared. The characters after a separator are those after its last occurrence.
/// - `false` is less than `true`, an earlier date is less than a later one, and data is compared byte by byte.
/// - Arrays are equal if their elements are equal by these rules, and records if their fields are. Two arrays or two
///   records are neither less nor greater than each other.
/// - If a ``QueryField`` has several values in a record, a comparison other than `!=` is true if it is true for at
///   least one value. `a != b` is true if no value of `a` equals `b`.
///
/// ## Order
///
/// - Records are sorted by the first sort key, ties by the next one, and finally by the UTF-8 bytes of their ids,
///   ascending. Without sort keys, they are in the order of their ids.
/// - All values have an order: missing values come first, then bools, numbers (NaN last), dates, strings, data, arrays
///   and records. Within a kind, the order is the same as in conditions. Arrays are compared element by element.
///   Records are compared field by field, by name and then value. A prefix comes first. A descending sort is the exact
///   reverse.
///
/// ## Pages
///
/// If more records may follow, a page has a ``Cursor``: the sort values and the id of its last entry. The next page
/// begins after that position and not after a number of entries, so pagination is stable under concurrent writes. Each
/// page sees one snapshot. Pages neither repeat nor skip an entry that exists throughout with unchanged sort values.
/// Use the same sort for all pages.
package struct RecordQuery: Sendable {
    /// The name of the collection.
    package var collection: String

    /// The condition that each returned record meets, or `nil` to return all records.
    package var condition: Condition?

    /// The fields by which the records are sorted, the most significant first.
    package var sort: [SortKey]

    /// The maximum number of records, or `nil` for no limit. If the limit is less than 1, the page is empty.
    package var limit: Int?

    /// The position after which the page begins, or `nil` for the first page.
    package var cursor: Cursor?

    /// The definitions of the indexes that the query may use.
    package var indexes: [IndexDefinition]

    /// The clock by which records expire. Expired records meet no query.
    package var now: @Sendable () -> Timestamp = { .now }

    /// Whether the condition does not contain the expiry of the collection yet.
    var hidesExpired: Bool

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - condition: The condition that each returned record meets, or `nil` to return all records.
    ///   - sort: The fields by which the records are sorted, the most significant first.
    ///   - limit: The maximum number of records, or `nil` for no limit.
    ///   - cursor: The position after which the page begins, or `nil` for the first page.
    ///   - indexes: The definitions of the indexes that the query may use.
    ///   - hidesExpired: Whether expired records do not meet the condition.
    package init(
        _ collection: String, where condition: Condition? = nil, sort: [SortKey] = [], limit: Int? = nil,
        after cursor: Cursor? = nil, indexes: [IndexDefinition] = [], hidesExpired: Bool = true
    ) {
        self.indexes = indexes
        self.hidesExpired = hidesExpired
        self.collection = collection
        self.condition = condition
        self.sort = sort
        self.limit = limit
        self.cursor = cursor
    }

    /// A field by which a query sorts records, and the direction of the order.
    package struct SortKey: Sendable {
        /// The field by which to sort.
        package let field: QueryField

        /// Whether the greatest value comes first.
        package let isDescending: Bool

        /// Returns a sort key with the least value first.
        package static func ascending(_ field: QueryField) -> SortKey { SortKey(field: field, isDescending: false) }

        /// Returns a sort key with the greatest value first.
        package static func descending(_ field: QueryField) -> SortKey { SortKey(field: field, isDescending: true) }
    }

    /// The position of a record in the order of a query. A page begins after it.
    package struct Cursor: Hashable, Sendable {
        /// The record's value for each sort key, or `nil` if the field has no value.
        package let values: [Value?]

        /// The id of the record.
        package let id: String

        /// Creates the position of a record.
        package init(values: [Value?], id: String) {
            self.values = values
            self.id = id
        }
    }

    /// The records that a query found, and the position from which the next query continues.
    package struct Page: Hashable, Sendable {
        /// The entries that the query found, in the order of the query.
        package let entries: [Entry]

        /// The position after which the next page begins, or `nil` if this is the last page. A page with as many
        /// records as the limit always has a next position, so the next page may be empty.
        package let next: Cursor?
    }
}
