import DataStoreCore

/// How a query was answered, and how much it read.
package struct QueryReport: Hashable, Sendable {
    /// The name of the index that was used, `id` if a range of ids was scanned, or `nil` if all records were scanned.
    package internal(set) var index: String?

    /// Whether the records were read in the order of the query, so that only ties were sorted.
    package internal(set) var isInOrder = false

    /// The number of index entries that were read.
    package internal(set) var entryCount = 0

    /// The number of records that were read. It is 0 for a covering index in the order of the query.
    package internal(set) var recordCount = 0

    /// The number of records that were found.
    package internal(set) var foundCount = 0
}

extension QueryReport: CustomStringConvertible {
    /// The report as one sentence.
    package var description: String {
        let access =
            index.map { "the index \($0)\(isInOrder ? ", in its order" : "")" } ?? "all records of the collection"
        let entries = index == nil ? "" : "\(entryCount) entries and "
        return "by \(access): looked at \(entries)\(recordCount) records, found \(foundCount)"
    }
}
