// The id of an index entry is the index text of a value, followed by the id of the record that has the value.
//
// If a value is too long for a key, the index has an overflow entry, which contains a hash instead of the text.
// Overflow entries come before all others, and a query must read their records.
extension Index {
    /// The first byte of an overflow entry. It is less than the first byte of any value's text.
    private static let overflow: UInt8 = 1

    /// Returns the ids of all index entries of a record, without duplicates. Throws a `DataStoreError` if the record
    /// has a value that the index rejects.
    func validEntries(of record: borrowing RecordView, id: String) throws(DataStoreError) -> [[UInt8]] {
        try field.validate(record, .corrupted)
        return try entryIDs(of: record, id: id)
    }

    /// Returns the ids of all index entries of a record, without duplicates.
    func entryIDs(of record: borrowing RecordView, id: String) throws(DataStoreError) -> [[UInt8]] {
        // A compound field is single.
        if field.isSingle {
            var entry: [UInt8] = []
            _ = try appendEntry(of: record, id: id, to: &entry)
            return [entry]
        }
        var texts = try field.indexTexts(in: record, id: id)
        if texts.isEmpty { texts = [Value.missingIndexText] }
        for position in texts.indices { complete(&texts[position], from: 0, id) }
        return texts
    }

    /// Appends the id of a record's index entry to an array of bytes. The field must have at most one value in each
    /// record.
    ///
    /// - Returns: Whether the entry is an overflow entry.
    func appendEntry(
        of record: borrowing RecordView, id: String, to bytes: inout [UInt8]
    ) throws(DataStoreError) -> Bool {
        let start = bytes.count
        try field.appendIndexText(in: record, id: id, to: &bytes)
        return complete(&bytes, from: start, id)
    }

    /// Completes an entry whose index text begins at the offset `start`, by appending the id of the record. If the
    /// entry is too long for a key, replaces its index text with the shorter text of an overflow entry.
    ///
    /// - Returns: Whether the entry is an overflow entry.
    @discardableResult
    private func complete(_ bytes: inout [UInt8], from start: Int, _ id: String) -> Bool {
        // The key has a NUL after the name of the collection, which does not count.
        let isOverflow = keyPrefix.count - 1 + bytes.count - start + id.utf8.count > Key.maximumByteCount
        if isOverflow { bytes.replaceSubrange(start..., with: Self.overflowText(of: bytes[start...])) }
        bytes.append(contentsOf: id.utf8)
        return isOverflow
    }

    /// Returns the first bytes of an overflow entry: the byte 1, and the digits of the FNV-1a hash of the value's text.
    static func overflowText(of value: some Sequence<UInt8>) -> [UInt8] {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in value { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        var text = [overflow]
        Value.append(hash, digits: Value.wordDigits, to: &text)
        return text
    }

    /// The number of bytes of an overflow entry before the id of the record.
    static let overflowTextCount = 1 + Value.wordDigits

    /// The range of the ids of all overflow entries.
    static let overflowIDs = IDRange(prefix: [overflow])

    /// Returns whether an entry is an overflow entry, which contains a hash instead of the value.
    static func isOverflow(_ entry: some Collection<UInt8>) -> Bool { entry.first == overflow }

    /// Returns the index text of the value in an entry, or `nil` for an overflow entry.
    func value(ofEntry entry: [UInt8]) -> [UInt8]? {
        // No index text of a value begins with the first byte of an overflow entry.
        Value.indexTextCount(in: entry.span, componentCount: field.componentCount).map { Array(entry[..<$0]) }
    }

    /// Returns the id of an entry's record, which follows the first `count` bytes of the entry.
    static func target(_ entry: Span<UInt8>, after count: Int) -> String {
        String(decoding: entry.extracting(droppingFirst: count))
    }

    /// Returns the content of an entry: the given record if the index is covering, otherwise an empty record. The
    /// content of an overflow entry is always empty.
    func content(of entry: [UInt8], _ record: Record) -> Record {
        isCovering && !Self.isOverflow(entry) ? record : Record()
    }
}

extension QueryField {
    /// Returns whether an index entry belongs to a record that has no value for the field. For a compound field,
    /// returns whether the record lacks at least one of the values.
    func isMissing(inEntry entry: [UInt8]) -> Bool {
        (0..<componentCount).contains { index in
            let start = Value.indexTextCount(in: entry.span, componentCount: index) ?? entry.count
            return entry[start...].first == Value.missingIndexText.first
        }
    }
}
