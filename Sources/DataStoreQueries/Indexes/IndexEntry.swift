import DataStoreCore

/// The id of an index entry: the text of a value, then the id of the record that has it.
///
/// A value that is too long for a key has an overflow entry: a hash of the text in its place. Overflow entries come
/// before all others, and a query reads each of their records.
enum IndexEntry {
    /// The first byte of an overflow entry; less than the first byte of the text of any value.
    private static let overflow: UInt8 = 1

    /// Returns the ids of the entries of a record, each once.
    static func ids(
        of record: borrowing RecordView, id: String, by field: QueryField, in entries: String
    ) throws(DataStoreError) -> [[UInt8]] {
        ids(of: try field.origin(in: record, id: id), id: id, by: field, in: entries)
    }

    /// Returns the ids of the entries of a record with an origin of the field.
    static func ids(of origin: Value?, id: String, by field: QueryField, in entries: String) -> [[UInt8]] {
        if field.isSingle { return [self.id(of: origin, id: id, by: field, in: entries)] }
        var texts: [[UInt8]] = []
        // An array can have any number of elements.
        var seen: Set<[UInt8]> = []
        _ = field.hasValue(of: origin) { value in
            let text = value.indexText
            if seen.insert(text).inserted { texts.append(text) }
            return false
        }
        if texts.isEmpty { texts = [Value.missingIndexText] }
        for index in texts.indices { complete(&texts[index], id, in: entries) }
        return texts
    }

    /// Returns the id of the entry of a record, for a field that is single.
    static func id(of origin: Value?, id: String, by field: QueryField, in entries: String) -> [UInt8] {
        var entry: [UInt8] = []
        let hasValue = field.hasValue(of: origin) { value in
            entry = value.indexText
            return true
        }
        if !hasValue { entry = Value.missingIndexText }
        complete(&entry, id, in: entries)
        return entry
    }

    /// Completes the text of a value with the id of the record.
    private static func complete(_ entry: inout [UInt8], _ id: String, in entries: String) {
        if entries.utf8.count + entry.count + id.utf8.count > Key.maximumByteCount { entry = overflowText(of: entry) }
        entry.append(contentsOf: id.utf8)
    }

    /// Returns what overflow entries of a value begin with: the FNV-1a hash of its text, as 16 hexadecimal digits.
    static func overflowText(of value: [UInt8]) -> [UInt8] {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in value { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
        var text = [overflow]
        Value.append(hash, digits: overflowTextCount - 1, to: &text)
        return text
    }

    /// The number of bytes of an overflow entry before the id of the record.
    static let overflowTextCount = 17

    /// Whether an entry is of a record without a value.
    static func isMissing(_ entry: [UInt8]) -> Bool { entry.first == Value.missingIndexText.first }

    /// Whether an entry is an overflow entry.
    static func isOverflow(_ entry: some Collection<UInt8>) -> Bool { entry.first == overflow }

    /// Returns the text of the value, or `nil` if the entry is an overflow entry.
    static func value(_ entry: [UInt8]) -> [UInt8]? {
        valueCount(entry.span).map { Array(entry[..<$0]) }
    }

    /// Returns the number of bytes of the text of the value, or `nil` if the entry is an overflow entry.
    static func valueCount(_ entry: Span<UInt8>) -> Int? {
        // No text of a value begins with the first byte of an overflow entry.
        Value.indexTextCount(in: entry)
    }

    /// Returns the id of the record, which follows the text of the value.
    static func target(_ entry: Span<UInt8>, after count: Int) -> String {
        String(utf8: entry.extracting(droppingFirst: count))
    }

    /// All overflow entries.
    static let overflowIDs = ByteRange([overflow], [overflow + 1]).ids
}
