import DataStoreCore

/// How the answer to a query was found, and what it took.
package struct QueryReport: Hashable, Sendable {
    /// The index that it was found by, `id` where it was found by the ids themselves; nil where all records of the
    /// collection were looked at.
    package internal(set) var index: String?

    /// Whether the index gave the answer in its order, so that nothing was sorted but what ties.
    package internal(set) var isInOrder = false

    /// How many entries of the index were looked at.
    package internal(set) var entryCount = 0

    /// How many records were looked at: none where the entries hold them and the answer is in their order.
    package internal(set) var recordCount = 0

    /// How many records were found.
    package internal(set) var foundCount = 0
}

extension QueryReport: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        let way = index.map { "the index \($0)\(isInOrder ? ", in its order" : "")" } ?? "all records of the collection"
        let entries = index == nil ? "" : "\(entryCount) entries and "
        return "by \(way): looked at \(entries)\(recordCount) records, found \(foundCount)"
    }
}
