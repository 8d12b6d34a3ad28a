/// An entry of an index as the id of a record without fields: the text of the value, and the id that it leads to.
///
/// Values and ids that have no room in a key together are not in order: their entries come before all others, with the id
/// alone, and a query looks at each of their records.
enum IndexEntry {
    /// What begins an entry without the value; less than all texts of values.
    private static let unordered: UInt8 = 1

    /// The ids of the entries of a record, each once.
    static func ids(
        of record: borrowing RecordView, id: String, by field: QueryField, in entries: String
    ) throws(DataStoreError) -> [String] {
        var ids: [String] = []
        _ = try field.hasValue(in: record, id: id) { value throws(DataStoreError) in
            let entry = self.id(value.indexText, id, in: entries)
            if !ids.contains(where: { $0.hasSameBytes(as: entry) }) { ids.append(entry) }
            return false
        }
        return ids.isEmpty ? [self.id(Value.missingIndexText, id, in: entries)] : ids
    }

    private static func id(_ value: [UInt8], _ id: String, in entries: String) -> String {
        let count = entries.utf8.count + value.count + id.utf8.count
        let beginning = count <= Key.maximumByteCount ? value : [unordered]
        return String(decoding: beginning, as: UTF8.self) + id
    }

    /// Whether an entry is of a record without a value.
    static func isMissing(_ entry: String) -> Bool { entry.utf8.first == Value.missingIndexText.first }

    /// The text of the value; nil where it is not in order.
    static func value(_ entry: String) -> [UInt8]? { valueCount(entry).map { Array(entry.utf8.prefix($0)) } }

    /// How many bytes the text of the value has; nil where it is not in order.
    static func valueCount(_ entry: String) -> Int? {
        if entry.utf8.first == unordered { return nil }
        // A query asks each entry: where there are spans, nothing is copied.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            let bytes = Array(entry.utf8)
            return Value.indexTextCount(in: bytes.span)
        }
        return Value.indexTextCount(in: entry.utf8.span)
    }

    /// The id that an entry leads to, after the text of a value.
    static func target(_ entry: String, after count: Int) -> String {
        String(Substring(entry.utf8.dropFirst(count)))
    }

    /// All entries that are not in order.
    static let unorderedIDs = IDRange(ByteRange([unordered], [unordered + 1]))
}
