public import DataStoreCore

/// Which records of a collection are wanted, in which order, and how many at a time.
///
/// ```swift
/// let query = RecordQuery(
///     "users", where: .compare(QueryField("birthday"), .less, .string("1990-01-01")),
///     sort: [.ascending(QueryField("birthday"))], limit: 50)
/// let page = try await store.read { try $0.records(matching: query) }
/// ```
///
/// The meaning is one for all stores, because no store has a part in it: a query is answered by what reads the store
/// (`records(matching:)`). It uses an index where it may and can, and looks at all records of the collection otherwise;
/// only where they are wanted in the order of their ids, it begins after the cursor and ends with the page. The answer
/// is the same.
///
/// ## Conditions
///
/// - A condition holds or does not; there is no third. `a != b` is the contrary of `a == b` and so holds where the
///   field is missing. No other comparison with a missing field holds.
/// - Values of different kinds are never equal, and neither comes before the other. Only integers and reals are one
///   kind: they compare as the numbers that they are, without rounding, so `9007199254740993` is not
///   `9007199254740992.0`, and `0.0` is `-0.0`.
/// - What is not a number (NaN) is equal to nothing, itself included, and comes neither before nor after anything.
/// - Strings compare by the bytes of their UTF-8, which is by scalar value: spellings of one letter are different
///   strings, and no language's alphabet plays a part. So it is for "begins with" and "contains".
/// - `false` comes before `true`; an earlier date before a later one; data by unsigned bytes.
/// - Arrays and records are equal where their elements are, in order, or their fields, each by these rules; and they
///   come neither before nor after each other.
/// - Where a field has several values (``QueryField``), a condition holds where one of them meets it.
///
/// ## Order
///
/// - Answers come by the first sort key, those that tie in it by the next, and at last by the unsigned bytes of their
///   ids, ascending, whichever way the keys go. Without sort keys they come by their ids.
/// - Every value has a place: first what is missing, then bools, numbers (NaN after all others), dates, strings, data,
///   arrays and records. Within a kind it is the order of conditions. Arrays compare element by element, records field
///   by field, by name and then value in the order of the record; the shorter one comes first where the longer one
///   begins with it. Descending is the reverse of all that.
///
/// ## Pages
///
/// A page has a ``Cursor`` where there may be another one. It has the sort values and the id of the last entry shown,
/// and the next page begins after that place, not after a number of entries. So pages stay right while others write:
/// each page sees one snapshot, and an entry that is there all the time and whose sort values do not change is neither
/// shown twice nor left out. The sort must be the same from page to page.
public struct RecordQuery: Sendable {
    /// The collection's name.
    package var collection: String

    /// What the records must be like; nil for all of them.
    package var condition: Condition?

    /// By what they are sorted, the most important key first.
    package var sort: [SortKey]

    /// How many at most; nil for all. A limit below 1 gives none.
    public var limit: Int?

    /// Where the page begins; nil: at the first.
    public var cursor: Cursor?

    /// The indexes of the collection that the answer may be found by.
    package var indexes: [IndexDefinition]

    /// Describes what is wanted.
    ///
    /// - Parameters:
    ///   - collection: the collection's name.
    ///   - condition: what the records must be like; nil for all of them.
    ///   - sort: by what they are sorted, the most important key first.
    ///   - limit: how many at most; nil for all.
    ///   - cursor: where the page begins; nil: at the first.
    ///   - indexes: the indexes of the collection that the answer may be found by.
    public init(
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

    /// A field that is sorted by, and the direction.
    public struct SortKey: Sendable {
        /// The field.
        package let field: QueryField

        /// Whether the greatest comes first.
        package let isDescending: Bool

        /// The least first.
        public static func ascending(_ field: QueryField) -> SortKey { SortKey(field: field, isDescending: false) }

        /// The greatest first.
        public static func descending(_ field: QueryField) -> SortKey { SortKey(field: field, isDescending: true) }
    }

    /// The place of an entry in the order of a query.
    public struct Cursor: Hashable, Sendable {
        /// The entry's value under each sort key; nil where it has none.
        package let values: [Value?]

        /// The entry's id.
        package let id: String

        /// Describes a place.
        ///
        /// - Parameters:
        ///   - values: the value under each sort key, in their order; nil for none.
        ///   - id: the id.
        package init(values: [Value?], id: String) {
            self.values = values
            self.id = id
        }
    }

    /// Records that a query found, and where the next ones begin.
    public struct Page: Hashable, Sendable {
        /// The entries, in the order of the query.
        public let entries: [Entry]

        /// Where the next page begins; nil where this is the last. (It is there as soon as the page is full, so the
        /// next one may turn out to be empty.)
        public let next: Cursor?
    }
}
