import DataStoreCore

/// The values in a unique index. It checks that no two records have the same value.
struct UniqueValues {
    private let field: QueryField
    private let entries: String
    private let collection: String

    init(of field: QueryField, in entries: String, _ collection: String) {
        self.field = field
        self.entries = entries
        self.collection = collection
    }

    /// Throws an error if another record has the value of a new entry.
    ///
    /// - Parameters:
    ///   - entry: The new entry.
    ///   - key: The key of the entry's record.
    ///   - record: The record of the entry.
    ///   - transaction: The transaction in which the other records are read.
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value.
    func check(
        _ entry: [UInt8], of key: Key, _ record: Record?, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        guard !IndexEntry.isMissing(entry) else { return }
        var values = IndexEntry.value(entry).map { [$0] } ?? []
        if values.isEmpty, let record {
            // An overflow entry contains only a hash of the value.
            _ = try field.hasValue(in: RecordView(record), id: key.id) { value throws(DataStoreError) in
                let text = value.indexText
                if entry.starts(with: IndexEntry.overflowText(of: text)) { values.append(text) }
                return false
            }
        }
        for value in values {
            if let other = try owner(of: value, except: key.id, transaction) {
                throw Self.error(field, Key(stored: other, in: collection))
            }
        }
    }

    /// Throws an error if another record has the same value of a field. Without an index, it scans the collection.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value.
    static func check(
        _ field: QueryField, of record: Record, _ key: Key, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        var values: [Value] = []
        _ = try field.hasValue(in: RecordView(record), id: key.id) { value throws(DataStoreError) in
            values.append(value)
            return false
        }
        guard !values.isEmpty else { return }
        var failure: DataStoreError?
        try transaction.backend.scan(Scan(stored: key.collection)) { other, view in
            do throws(DataStoreError) {
                guard other != key else { return .next }
                let isSame = try field.hasValue(in: view, id: other.id) { value throws(DataStoreError) in
                    values.contains { $0.indexText == value.indexText }
                }
                if isSame { throw error(field, other) }
                return .next
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// Returns the id of another record that has a value, or `nil` if no other record has it.
    private func owner(
        of value: [UInt8], except id: String, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> String? {
        var owner: String?
        if value.count < Key.maximumByteCount {
            try transaction.forEachID(in: Scan(stored: entries, ids: ByteRange(prefix: value).ids, limit: 2)) { entry in
                let target = IndexEntry.target(entry, after: value.count)
                if !target.hasSameBytes(as: id) { owner = target }
            }
        }
        if owner != nil { return owner }
        // The same value is an overflow entry of another record if the id of that record is longer.
        var overflow: [String] = []
        let prefix = ByteRange(prefix: IndexEntry.overflowText(of: value))
        try transaction.forEachID(in: Scan(stored: entries, ids: prefix.ids)) { entry in
            overflow.append(IndexEntry.target(entry, after: IndexEntry.overflowTextCount))
        }
        for other in overflow where owner == nil && !other.hasSameBytes(as: id) {
            let key = Key(stored: other, in: collection)
            let has: Bool?
            do throws(DataStoreError) {
                has = try transaction.view(of: key) { view throws(DataStoreError) in
                    try field.hasValue(in: view, id: other) { $0.indexText == value }
                }
            } catch {
                throw error.adding(operation: "compare with a record", key: key)
            }
            if has == true { owner = other }
        }
        return owner
    }

    private static func error(_ field: QueryField, _ other: Key) -> DataStoreError {
        DataStoreError(
            .notUnique, "\(other) has the same \(field.path), which is unique; change or remove that record first")
    }
}
