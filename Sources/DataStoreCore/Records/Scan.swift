/// A selection of the records of a collection, with a direction and a limit.
public struct Scan: Hashable, Sendable {
    /// The collection name.
    public let collection: String

    /// The range of the ids.
    public let ids: IDRange

    /// The maximum number of records; `nil` for all.
    public let limit: Int?

    /// Whether the scan begins with the highest id.
    public let isReversed: Bool

    /// Creates a scan of a collection.
    ///
    /// - Parameters:
    ///   - collection: The collection name.
    ///   - ids: The range of the ids.
    ///   - limit: The maximum number of records; `nil` for all. A limit below 1 selects no record.
    ///   - isReversed: Whether the scan begins with the highest id.
    /// - Throws: ``DataStoreError`` with the code ``DataStoreError/Code/invalidKey`` if the collection name is invalid.
    public init(
        _ collection: String, ids: IDRange = .all, limit: Int? = nil, isReversed: Bool = false
    ) throws(DataStoreError) {
        try Key.validate(collection: collection)
        self.collection = collection
        self.ids = ids
        self.limit = limit
        self.isReversed = isReversed
    }

    /// Creates a scan of an existing collection or of the entries of an index, without validating the name.
    package init(stored collection: String, ids: IDRange = .all, limit: Int? = nil, isReversed: Bool = false) {
        self.collection = collection
        self.ids = ids
        self.limit = limit
        self.isReversed = isReversed
    }

    /// Whether a scan continues after a record.
    public enum Step: Sendable {
        /// Continue with the next record.
        case next
        /// End the scan.
        case stop
    }
}
