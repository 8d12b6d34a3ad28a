import DataStoreCore

/// An entry of an index as the id of a record without fields: the text of the value, and the id that it leads to.
///
/// Values and ids that have no room in a key together are not in order: their entries come before all others, with the id
/// alone, and a query looks at each of their records.
enum IndexEntry {
    /// What begins an entry without the value; less than all texts of values.
    private static let overflow: UInt8 = 1

    /// The ids of the entries of a record, each once.
    static func ids(
        of record: borrowing RecordView, id: String, by field: QueryField, in entries: String
    ) throws(DataStoreError) -> [String] {
        ids(of: try field.origin(in: record, id: id), id: id, by: field, in: entries)
    }

    /// Returns the ids of the entries of a record with an origin of the field.
    static func ids(of origin: Value?, id: String, by field: QueryField, in entries: String) -> [String] {
        if field.isSingle {
            var text: [UInt8]?
            _ = field.hasValue(of: origin) { value in
                text = value.indexText
                return true
            }
            return [self.id(text ?? Value.missingIndexText, id, in: entries)]
        }
        var texts: [[UInt8]] = []
        // An array can have any number of elements.
        var seen: Set<[UInt8]> = []
        _ = field.hasValue(of: origin) { value in
            let text = value.indexText
            if seen.insert(text).inserted { texts.append(text) }
            return false
        }
        if texts.isEmpty { texts = [Value.missingIndexText] }
        let ids = texts.map { self.id($0, id, in: entries) }
        // All values that are too long have one entry.
        guard let overflow = ids.firstIndex(where: isOverflow) else { return ids }
        return ids[...overflow] + ids[(overflow + 1)...].filter { !isOverflow($0) }
    }

    private static func id(_ value: consuming [UInt8], _ id: String, in entries: String) -> String {
        var entry = value
        if entries.utf8.count + entry.count + id.utf8.count > Key.maximumByteCount { entry = [overflow] }
        entry.append(contentsOf: id.utf8)
        return String(decoding: entry, as: UTF8.self)
    }

    /// Whether an entry is of a record without a value.
    static func isMissing(_ entry: String) -> Bool { entry.utf8.first == Value.missingIndexText.first }

    /// Whether an entry is not in order.
    static func isOverflow(_ entry: String) -> Bool { entry.utf8.first == overflow }

    /// The text of the value; nil where it is not in order.
    static func value(_ entry: String) -> [UInt8]? {
        let entry = Array(entry.utf8)
        return valueCount(entry.span).map { Array(entry[..<$0]) }
    }

    /// How many bytes of an entry are the text of the value; nil where it is not in order.
    static func valueCount(_ entry: Span<UInt8>) -> Int? {
        // What is not in order begins with no text of a value.
        Value.indexTextCount(in: entry)
    }

    /// The id that an entry leads to, after the text of a value.
    static func target(_ entry: Span<UInt8>, after count: Int) -> String {
        String(utf8: entry.extracting(droppingFirst: count))
    }

    /// All entries that are not in order.
    static let overflowIDs = ByteRange([overflow], [overflow + 1]).ids
}
