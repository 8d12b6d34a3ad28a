/// Which records of a collection are wanted, and in which direction.
public struct Scan: Hashable, Sendable {
    /// The collection's name.
    public let collection: String

    /// The ids that are wanted.
    public let ids: IDRange

    /// How many records at most; nil for all.
    public let limit: Int?

    /// Whether the highest id comes first.
    public let isReversed: Bool

    /// Describes a walk over a collection.
    ///
    /// - Parameters:
    ///   - collection: the collection's name.
    ///   - ids: the ids that are wanted; every one unless said otherwise.
    ///   - limit: how many records at most; nil for all. A limit below 1 gives none.
    ///   - isReversed: whether the highest id comes first.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` where no key can have such a
    ///   collection name.
    public init(
        _ collection: String, ids: IDRange = .all, limit: Int? = nil, isReversed: Bool = false
    ) throws(DataStoreError) {
        try Key.validate(collection: collection)
        self.collection = collection
        self.ids = ids
        self.limit = limit
        self.isReversed = isReversed
    }

    /// A walk over a collection that is there, or over the entries of an index.
    package init(kept collection: String, ids: IDRange = .all, limit: Int? = nil, isReversed: Bool = false) {
        self.collection = collection
        self.ids = ids
        self.limit = limit
        self.isReversed = isReversed
    }

    /// Whether a scan goes on after the record it has just shown.
    public enum Step: Sendable {
        /// Show the next one.
        case next
        /// That was enough.
        case stop
    }
}
