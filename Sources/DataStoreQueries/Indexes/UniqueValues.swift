import DataStoreCore

/// What no two records of a collection may have.
struct UniqueValues {
    private let index: RecordIndex
    private let entries: String
    private let collection: String

    init(of index: RecordIndex, in entries: String, _ collection: String) {
        self.index = index
        self.entries = entries
        self.collection = collection
    }

    /// Refuses an entry whose value leads to another record, too.
    ///
    /// - Parameters:
    ///   - entry: the new entry.
    ///   - key: the key of its record.
    ///   - record: the record.
    ///   - transaction: what the others are in.
    /// - Throws: `DataStoreError` with the code `notUnique`.
    func check(
        _ entry: String, of key: Key, _ record: Record?, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        guard !IndexEntry.isMissing(entry) else { return }
        var values = IndexEntry.value(entry).map { [$0] } ?? []
        if values.isEmpty, let record {
            // It is too long to be in order: which value it is, the record says.
            _ = try index.field.hasValue(in: RecordView(record), id: key.id) { value throws(DataStoreError) in
                values.append(value.indexText)
                return false
            }
        }
        for value in values {
            if let other = try holder(of: value, but: key.id, transaction) { throw refusal(other) }
        }
    }

    /// The id of a record that has a value; nil where there is none but this one.
    private func holder(
        of value: [UInt8], but id: String, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> String? {
        var holder: String?
        try transaction.forEachID(in: Scan(kept: entries, ids: ByteRange(prefix: value).ids, limit: 2)) { entry in
            let target = IndexEntry.target(entry, after: value.count)
            if !target.hasSameBytes(as: id) { holder = target }
        }
        var unordered: [String] = []
        try transaction.forEachID(in: Scan(kept: entries, ids: IndexEntry.unorderedIDs)) { entry in
            unordered.append(IndexEntry.target(entry, after: 1))
        }
        for other in unordered where holder == nil && !other.hasSameBytes(as: id) {
            let has = try transaction.view(of: Key(kept: other, in: collection)) { view throws(DataStoreError) in
                try index.field.hasValue(in: view, id: other) { $0.indexText == value }
            }
            if has == true { holder = other }
        }
        return holder
    }

    private func refusal(_ other: String) -> DataStoreError {
        let other = Key(kept: other, in: collection)
        return DataStoreError(
            .notUnique, "\(other) has the same \(index.name), and only one may have it; change or remove that one first"
        )
    }
}
