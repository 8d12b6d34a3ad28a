import DataStoreCore

/// How the answer to a query was found, and what it took.
public struct QueryReport: Hashable, Sendable {
    /// The index that it was found by, `id` where it was found by the ids themselves; nil where all records of the
    /// collection were looked at.
    public internal(set) var index: String?

    /// Whether the index gave the answer in its order, so that nothing was sorted but what ties.
    public internal(set) var isInOrder = false

    /// How many entries of the index were looked at.
    public internal(set) var entryCount = 0

    /// How many records were looked at: none where the entries hold them and the answer is in their order.
    public internal(set) var recordCount = 0

    /// How many records were found.
    public internal(set) var foundCount = 0
}

extension QueryReport: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        let way = index.map { "the index \($0)\(isInOrder ? ", in its order" : "")" } ?? "all records of the collection"
        let entries = index == nil ? "" : "\(entryCount) entries and "
        return "by \(way): looked at \(entries)\(recordCount) records, found \(foundCount)"
    }
}
