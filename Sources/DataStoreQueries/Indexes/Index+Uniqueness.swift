extension Index {
    /// Throws an error if the index is unique and another record has the value of one of the new entries of a record.
    ///
    /// - Parameters:
    ///   - entries: The new entries of the record.
    ///   - key: The key of the record.
    ///   - record: The record.
    ///   - transaction: The transaction in which the other records are read.
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value.
    func checkUnique(
        _ entries: some Sequence<[UInt8]>, of key: Key, _ record: borrowing RecordView,
        in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        guard isUnique else { return }
        for entry in entries where !field.isMissing(inEntry: entry) {
            guard let value = value(ofEntry: entry) else {
                // An overflow entry contains only a hash, so all values of the record are checked, once.
                for value in try field.indexTexts(in: record, id: key.id) {
                    try checkUnique(value: value, of: key, transaction)
                }
                return
            }
            try checkUnique(value: value, of: key, transaction)
        }
    }

    private func checkUnique(
        value: [UInt8], of key: Key, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        let ids = try ids(of: value, in: key.collection, limit: 2, transaction)
        guard let other = ids.first(where: { !$0.hasSameBytes(as: key.id) }) else { return }
        throw notUnique(Key(stored: other, in: key.collection))
    }

    /// Returns the ids of records of a collection whose value has the given index text.
    func ids(
        of value: [UInt8], in collection: String, limit: Int, _ transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> [String] {
        var ids: [String] = []
        if value.count < Key.maximumByteCount {
            let entries = Scan(stored: state.entriesCollection, ids: IDRange(prefix: value), limit: limit)
            try transaction.forEachID(in: entries) { ids.append(Self.target($0, after: value.count)) }
        }
        if ids.count >= limit { return ids }
        // Other records with the same value may have an overflow entry, because their ids are longer.
        var overflow: [String] = []
        let prefix = IDRange(prefix: Self.overflowText(of: value))
        try transaction.forEachID(in: Scan(stored: state.entriesCollection, ids: prefix)) { entry in
            overflow.append(Self.target(entry, after: Self.overflowTextCount))
        }
        for id in overflow where ids.count < limit {
            let key = Key(stored: id, in: collection)
            let has = try DataStoreError.adding("compare with a record", key) { () throws(DataStoreError) in
                try transaction.view(of: key) { view throws(DataStoreError) in
                    try field.indexTexts(in: view, id: id).contains(value)
                }
            }
            if has == true { ids.append(id) }
        }
        return ids
    }

    /// Throws an error if another record has a value of a record. The check scans the collection and needs no entries.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value.
    func checkUniqueByScanning(
        _ key: Key, _ record: borrowing RecordView, in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) {
        let values = Set(try field.indexTexts(in: record, id: key.id))
        guard !values.isEmpty else { return }
        try transaction.scan(Scan(stored: key.collection)) { other, view throws(DataStoreError) in
            guard other != key else { return .next }
            let isSame = try field.indexTexts(in: view, id: other.id).contains(where: values.contains)
            if isSame { throw notUnique(other) }
            return .next
        }
    }

    private func notUnique(_ other: Key) -> DataStoreError {
        let advice = replacement.map { Index.advice(removing: name, of: other.collection, replacedBy: $0) }
        return .notUnique(field.paths, of: other, advice: advice)
    }
}

extension QueryField {
    /// Returns the index texts of the values in a record, without duplicates. The result is empty for a compound field
    /// if one of its components has no value.
    func indexTexts(in record: borrowing RecordView, id: String) throws(DataStoreError) -> [[UInt8]] {
        if isSingle {
            var text: [UInt8] = []
            try appendIndexText(in: record, id: id, to: &text)
            return isMissing(inEntry: text) ? [] : [text]
        }
        var texts: [[UInt8]] = []
        // An array can have any number of elements.
        var seen: Set<[UInt8]> = []
        _ = hasValue(of: try origin(in: record, id: id)) { value in
            let text = value.indexText
            if seen.insert(text).inserted { texts.append(text) }
            return false
        }
        return texts
    }
}
