package import DataStoreCore

/// A query of a collection: a condition, an order, and the number of records of a page.
///
/// ```swift
/// let query = RecordQuery(
///     "users", where: .compare(QueryField("birthday"), .less, .string("1990-01-01")),
///     sort: [.ascending(QueryField("birthday"))], limit: 50)
/// let page = try await store.read { try $0.records(matching: query) }
/// ```
///
/// A query has the same meaning on every store, with and without indexes. It uses an index if one narrows the records
/// or has the order of the sort, and otherwise scans the collection. In the order of ids, the scan begins after the
/// cursor and ends with the page.
///
/// ## Conditions
///
/// - A condition either holds or does not hold. `a != b` is the negation of `a == b`, so it holds if the field is
///   missing. No other comparison with a missing field holds.
/// - Values of different kinds are never equal, and neither is less than the other. Integers and reals are one kind.
///   They are compared without rounding, so `9007199254740993` is not equal to `9007199254740992.0`; `0.0` is equal to
///   `-0.0`.
/// - NaN is not equal to any value, not even to itself, and is neither less nor greater than another value.
/// - Strings are compared by their UTF-8 bytes, without normalization and without the rules of a language. "Begins
///   with" and "contains" do the same.
/// - `false` is less than `true`, an earlier date is less than a later one, and data is compared by unsigned bytes.
/// - Arrays are equal if their elements are, and records if their fields are, by these rules. They are neither less nor
///   greater than each other.
/// - If a field has several values (``QueryField``), a condition holds if one of them meets it.
///
/// ## Order
///
/// - Records are sorted by the first sort key, ties by the next one, and finally by the unsigned bytes of their ids,
///   ascending. Without sort keys they are in the order of their ids.
/// - All values have an order: missing values come first, then bools, numbers (NaN last), dates, strings, data, arrays
///   and records. Within a kind it is the order of conditions. Arrays are compared element by element, records field by
///   field by name and then value; a prefix comes first. A descending sort is the exact reverse.
///
/// ## Pages
///
/// A page has a ``Cursor`` if there may be another one: the sort values and the id of its last entry. The next page
/// begins after that position and not after a number of entries, so pagination is stable under concurrent writes. Each
/// page sees one snapshot, and an entry that exists all the time with unchanged sort values is neither repeated nor
/// skipped. Use the same sort for all pages.
package struct RecordQuery: Sendable {
    /// The name of the collection.
    package var collection: String

    /// The condition, or `nil` for all records.
    package var condition: Condition?

    /// The sort keys, the most significant first.
    package var sort: [SortKey]

    /// The maximum number of records, or `nil` for all. With a limit below 1 the page is empty.
    package var limit: Int?

    /// The position after which the page begins, or `nil` for the first page.
    package var cursor: Cursor?

    /// The indexes that the query may use.
    package var indexes: [IndexDefinition]

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - condition: The condition, or `nil` for all records.
    ///   - sort: The sort keys, the most significant first.
    ///   - limit: The maximum number of records, or `nil` for all.
    ///   - cursor: The position after which the page begins, or `nil` for the first page.
    ///   - indexes: The indexes of the collection that the query may use.
    package init(
        _ collection: String, where condition: Condition? = nil, sort: [SortKey] = [], limit: Int? = nil,
        after cursor: Cursor? = nil, indexes: [IndexDefinition] = []
    ) {
        self.indexes = indexes
        self.collection = collection
        self.condition = condition
        self.sort = sort
        self.limit = limit
        self.cursor = cursor
    }

    /// A sort field and its direction.
    package struct SortKey: Sendable {
        /// The field.
        package let field: QueryField

        /// Whether the greatest value comes first.
        package let isDescending: Bool

        /// Sorts by a field, the least value first.
        package static func ascending(_ field: QueryField) -> SortKey { SortKey(field: field, isDescending: false) }

        /// Sorts by a field, the greatest value first.
        package static func descending(_ field: QueryField) -> SortKey { SortKey(field: field, isDescending: true) }
    }

    /// The position of an entry in the order of a query.
    package struct Cursor: Hashable, Sendable {
        /// The value of each sort key, `nil` if it is missing.
        package let values: [Value?]

        /// The id of the entry.
        package let id: String

        /// Creates a position.
        package init(values: [Value?], id: String) {
            self.values = values
            self.id = id
        }
    }

    /// A page of the records that a query selects.
    package struct Page: Hashable, Sendable {
        /// The entries, in the order of the query.
        package let entries: [Entry]

        /// The position after which the next page begins, or `nil` on the last page. A full page always has one, so the
        /// next page may be empty.
        package let next: Cursor?
    }
}
