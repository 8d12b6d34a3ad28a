/// A selection of the records of one collection, in ascending or descending order of their ids.
///
/// ```swift
/// let newest = try Scan("notes", ids: .prefix("2026-"), limit: 10, isReversed: true)
/// ```
public struct Scan: Hashable, Sendable {
    /// The name of the collection.
    public let collection: String

    /// The range of ids that the scan visits.
    public let ids: IDRange

    /// The maximum number of records, or `nil` for no limit.
    public let limit: Int?

    /// Whether the scan visits the greatest id first. If `false`, it visits the least id first.
    public let isReversed: Bool

    /// Creates a scan of a collection.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - ids: The range of ids that the scan visits.
    ///   - limit: The maximum number of records, or `nil` for no limit. A limit below 1 selects no record.
    ///   - isReversed: Whether the scan visits the greatest id first. If `false`, it visits the least id first.
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

    /// Creates a scan without validating the name of the collection, e.g. for a collection of index entries.
    package init(stored collection: String, ids: IDRange = .all, limit: Int? = nil, isReversed: Bool = false) {
        self.collection = collection
        self.ids = ids
        self.limit = limit
        self.isReversed = isReversed
    }

    /// A closure's decision on whether a scan continues.
    public enum Step: Sendable {
        /// The scan continues with the next record.
        case next
        /// The scan ends.
        case stop
    }
}
