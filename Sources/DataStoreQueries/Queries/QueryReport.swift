import DataStoreCore

/// A report on how a query found its records, and how many entries and records it read.
package struct QueryReport: Hashable, Sendable {
    /// The name of the index that the query used, or the names joined by "and" if it used several. It is `id` if the
    /// query scanned a range of ids, and `nil` if it scanned all records.
    package internal(set) var index: String?

    /// Whether the query used an index or a range of ids in the requested order, so that it sorted at most ties. The
    /// value is `false` if the query scanned all records.
    package internal(set) var isInOrder = false

    /// The number of index entries that the query read. It is the number of records read if the query scanned a range
    /// of ids, and 0 if the query scanned all records.
    package internal(set) var entryCount = 0

    /// The number of records that the query read. It is 0 if a covering index has the order of the query and no
    /// overflow entries.
    package internal(set) var recordCount = 0

    /// The number of records that the query found.
    package internal(set) var foundCount = 0
}

extension QueryReport: CustomStringConvertible {
    /// The report as one sentence.
    package var description: String {
        let access =
            index.map { "the index \($0)\(isInOrder ? ", in index order" : "")" } ?? "all records of the collection"
        let entries = index == nil ? "" : "\(entryCount) entries and "
        return "by \(access): examined \(entries)\(recordCount) records, found \(foundCount)"
    }
}
