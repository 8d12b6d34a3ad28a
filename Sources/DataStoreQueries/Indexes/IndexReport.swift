import DataStoreCore

/// The result of comparing the entries of an index with the records of its collection.
package struct IndexReport: Hashable, Sendable {
    /// The index, including the number of its entries.
    package let index: StoredIndex

    /// The number of entries that are missing or contain an outdated record.
    package let missingCount: Int

    /// The number of entries that correspond to no record. An entry with an outdated record counts here, too.
    package let surplusCount: Int

    /// Whether the entries match the records. Records that an unfinished build has not reached are ignored. An invalid
    /// index counts as a match, because no query uses it.
    package var matchesRecords: Bool { missingCount == 0 && surplusCount == 0 }

    /// Creates a report on an index that a newer version of the library declared.
    init(unknown name: String, of collection: String) {
        index = StoredIndex(unknown: name, of: collection)
        (missingCount, surplusCount) = (0, 0)
    }

    /// Compares the entries of an index with the records, and calls `progress` with the number of records that have
    /// been compared, after every 1,000 records.
    init(
        _ item: IndexCatalogue.Item, of collection: String, in transaction: borrowing ReadTransaction,
        _ progress: (Int) -> Void
    ) throws {
        let state = item.state
        let count = try state.entryCount(in: transaction)
        index = StoredIndex(item, of: collection, entryCount: count)
        guard !state.isInvalid else {
            (missingCount, surplusCount) = (0, 0)
            return
        }
        var (expected, missing, recordCount) = (0, 0, 0)
        try transaction.forEachView(in: Scan(stored: collection)) { key, view in
            guard state.covers(key.id) else { return .stop }
            for entry in try IndexEntry.ids(of: view, id: key.id, by: item.field, in: state.entries) {
                expected += 1
                let key = Key(stored: String(decoding: entry, as: UTF8.self), in: state.entries)
                let matches = try transaction.withView(of: key) { content in
                    try !state.isCovering || content.record() == state.content(of: entry, view.record())
                }
                if matches != true { missing += 1 }
            }
            recordCount += 1
            if recordCount.isMultiple(of: 1000) { progress(recordCount) }
            return .next
        }
        missingCount = missing
        surplusCount = count - (expected - missing)
    }
}

extension IndexState {
    /// Returns the number of entries of the index.
    func entryCount(in transaction: borrowing ReadTransaction) throws(DataStoreError) -> Int {
        var count = 0
        try transaction.forEachID(in: Scan(stored: entries)) { _ in count += 1 }
        return count
    }
}
