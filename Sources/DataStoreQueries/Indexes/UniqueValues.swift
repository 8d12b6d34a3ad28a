import DataStoreCore

/// A check that no other record has a value of one record in a unique index.
struct UniqueValues {
    private let field: QueryField
    private let entries: String
    private let key: Key
    private let record: Record
    /// The index texts of the record's values, by the first bytes of their overflow entries. It is `nil` until the
    /// first overflow entry is checked.
    private var valuesByOverflowText: [[UInt8]: [[UInt8]]]?

    /// Creates a check of the record of `key`, whose index entries are in the collection `entries`.
    init(of field: QueryField, in entries: String, _ key: Key, _ record: Record) {
        self.field = field
        self.entries = entries
        self.key = key
        self.record = record
    }

    /// Throws an error if another record has the value of a new entry.
    ///
    /// - Parameters:
    ///   - entry: The new entry of the record.
    ///   - transaction: The transaction in which the other records are read.
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value.
    mutating func check(_ entry: [UInt8], _ transaction: borrowing ReadTransaction) throws(DataStoreError) {
        guard !IndexEntry.isMissing(entry, of: field) else { return }
        for value in try values(of: entry) {
            if let other = try owner(of: value, except: key.id, transaction) {
                throw Self.error(field, Key(stored: other, in: key.collection))
            }
        }
    }

    /// Returns the index texts of the values that have an entry. Several values can have the same overflow entry, which
    /// contains only a hash.
    private mutating func values(of entry: [UInt8]) throws(DataStoreError) -> [[UInt8]] {
        if let value = IndexEntry.value(entry, of: field) { return [value] }
        let values: [[UInt8]: [[UInt8]]]
        if let known = valuesByOverflowText {
            values = known
        } else {
            let texts = try field.indexTexts(in: RecordView(record), id: key.id)
            values = Dictionary(grouping: texts) { IndexEntry.overflowText(of: $0) }
            valuesByOverflowText = values
        }
        return values[Array(entry.prefix(IndexEntry.overflowTextCount))] ?? []
    }

    /// Throws an error if another record has the same value of a field. The check scans the collection and needs no
    /// index.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value.
    static func check(
        _ field: QueryField, of record: Record, _ key: Key, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        let values = Set(try field.indexTexts(in: RecordView(record), id: key.id))
        guard !values.isEmpty else { return }
        var failure: DataStoreError?
        try transaction.backend.scan(Scan(stored: key.collection)) { other, view in
            do throws(DataStoreError) {
                guard other != key else { return .next }
                let isSame = try field.indexTexts(in: view, id: other.id).contains(where: values.contains)
                if isSame { throw error(field, other) }
                return .next
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }

    /// Returns the id of a record whose value has the given index text. Ignores the record with the id `id`. Returns
    /// `nil` if no other record has the value.
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
        // Another record with the same value may have an overflow entry, because its id may be longer.
        var overflow: [String] = []
        let prefix = ByteRange(prefix: IndexEntry.overflowText(of: value))
        try transaction.forEachID(in: Scan(stored: entries, ids: prefix.ids)) { entry in
            overflow.append(IndexEntry.target(entry, after: IndexEntry.overflowTextCount))
        }
        for other in overflow where owner == nil && !other.hasSameBytes(as: id) {
            let key = Key(stored: other, in: key.collection)
            let has: Bool?
            do throws(DataStoreError) {
                has = try transaction.view(of: key) { view throws(DataStoreError) in
                    try field.indexTexts(in: view, id: other).contains(value)
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
            .notUnique,
            "the record \(other) has the same value of the unique field \(field.path); change or remove it first"
        )
    }
}

extension QueryField {
    /// Returns the index texts of the values in a record. The result is empty for a compound field if one of its
    /// components has no value.
    fileprivate func indexTexts(in record: borrowing RecordView, id: String) throws(DataStoreError) -> [[UInt8]] {
        let origin = try origin(in: record, id: id)
        if !components.isEmpty {
            var text: [UInt8] = []
            appendCompoundText(of: origin, to: &text)
            return IndexEntry.isMissing(text, of: self) ? [] : [text]
        }
        var texts: [[UInt8]] = []
        _ = hasValue(of: origin) { value in
            texts.append(value.indexText)
            return false
        }
        return texts
    }
}
