import DataStoreCore

/// What no two records of a collection may have.
struct UniqueValues {
    private let field: QueryField
    private let entries: String
    private let collection: String

    init(of field: QueryField, in entries: String, _ collection: String) {
        self.field = field
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
        _ entry: [UInt8], of key: Key, _ record: Record?, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        guard !IndexEntry.isMissing(entry) else { return }
        var values = IndexEntry.value(entry).map { [$0] } ?? []
        if values.isEmpty, let record {
            // It is too long to be in order: which value it is, the record says.
            _ = try field.hasValue(in: RecordView(record), id: key.id) { value throws(DataStoreError) in
                values.append(value.indexText)
                return false
            }
        }
        for value in values {
            if let other = try holder(of: value, but: key.id, transaction) {
                throw Self.error(field, Key(kept: other, in: collection))
            }
        }
    }

    /// Checks a record without an index, by a scan of its collection.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique`.
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
        try transaction.backend.scan(Scan(kept: key.collection)) { other, view in
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

    /// The id of a record that has a value; nil where there is none but this one.
    private func holder(
        of value: [UInt8], but id: String, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> String? {
        var holder: String?
        try transaction.forEachID(in: Scan(kept: entries, ids: ByteRange(prefix: value).ids, limit: 2)) { entry in
            let target = IndexEntry.target(entry, after: value.count)
            if !target.hasSameBytes(as: id) { holder = target }
        }
        var overflow: [String] = []
        try transaction.forEachID(in: Scan(kept: entries, ids: IndexEntry.overflowIDs)) { entry in
            overflow.append(IndexEntry.target(entry, after: 1))
        }
        for other in overflow where holder == nil && !other.hasSameBytes(as: id) {
            let key = Key(kept: other, in: collection)
            let has: Bool?
            do throws(DataStoreError) {
                has = try transaction.view(of: key) { view throws(DataStoreError) in
                    try field.hasValue(in: view, id: other) { $0.indexText == value }
                }
            } catch {
                throw error.adding(operation: "compare with a record", key: key)
            }
            if has == true { holder = other }
        }
        return holder
    }

    private static func error(_ field: QueryField, _ other: Key) -> DataStoreError {
        DataStoreError(
            .notUnique, "\(other) has the same \(field.path), which is unique; change or remove that record first")
    }
}
