/// A writer of the entry `UserProfile` of an XML property list. It indents each line by tabs, and begins at most one
/// element on each line.
struct XMLWriter {
    private var bytes: [UInt8]
    private var depth = 1

    /// Returns the bytes of a file.
    ///
    /// - Parameters:
    ///   - collections: The collections of the store.
    ///   - before: The bytes before the entry `UserProfile`.
    ///   - after: The bytes after this entry.
    ///   - capacity: The expected number of bytes.
    /// - Returns: The bytes of the file.
    static func bytes(
        _ collections: [StoredCollection], before: [UInt8], after: [UInt8], capacity: Int
    ) -> [UInt8] {
        var writer = XMLWriter(bytes: before)
        writer.bytes.reserveCapacity(capacity)
        writer.key(EntryCollector.rootKey)
        // The first entry of the dictionary is not a collection but the version of the format.
        writer.dictionary([nil] + collections.map(Optional.some)) { writer, collection in
            guard let (name, entries) = collection else {
                writer.key(EntryCollector.formatKey)
                return writer.element("<integer>", String(EntryCollector.formatVersion), "</integer>\n")
            }
            writer.key(EntryCollector.key(ofCollection: name))
            writer.dictionary(entries) { writer, entry in
                writer.key(EntryCollector.key(ofID: entry.key.id, in: name))
                writer.append(entry.record)
            }
        }
        writer.bytes.append(contentsOf: after)
        return writer.bytes
    }

    // MARK: Values

    private mutating func append(_ record: Record) {
        dictionary(record) { writer, field in
            writer.key(field.name.propertyListKey)
            writer.append(field.value)
        }
    }

    private mutating func append(_ value: Value) {
        guard let wrapped = value.wrapped else { return write(value) }
        dictionary(CollectionOfOne(wrapped)) { writer, entry in
            writer.key(entry.key)
            writer.write(entry.value)
        }
    }

    /// Writes a value that a property list can represent.
    private mutating func write(_ value: Value) {
        switch value {
        case .string(let text): element("<string>", text, "</string>\n")
        case .integer(let number): element("<integer>", String(number), "</integer>\n")
        // The description of a NaN may contain its payload.
        case .real(let number): element("<real>", number.isNaN ? "nan" : "\(number)", "</real>\n")
        case .bool(let flag): line(flag ? "<true/>\n" : "<false/>\n")
        case .date(let date): element("<date>", date.xmlText, "</date>\n")
        case .data(let bytes), .sealed(let bytes): append(bytes)
        case .array(let values): container("<array", values, "</array>\n") { $0.append($1) }
        case .record(let record): append(record)
        }
    }

    private mutating func append(_ data: [UInt8]) {
        line("<data>\n")
        let text = data.base64
        for start in stride(from: 0, to: text.count, by: 76) {
            line("")
            bytes.append(contentsOf: text[start..<min(start + 76, text.count)])
            raw("\n")
        }
        line("</data>\n")
    }

    // MARK: Lines

    private mutating func key(_ key: String) { element("<key>", key, "</key>\n") }

    private mutating func element(_ opening: StaticString, _ text: String, _ closing: StaticString) {
        line(opening)
        escaped(text)
        raw(closing)
    }

    /// Writes a dictionary. `write` writes the key and the value of an entry.
    private mutating func dictionary<Entries: Collection>(
        _ entries: Entries, _ write: (inout XMLWriter, Entries.Element) -> Void
    ) {
        container("<dict", entries, "</dict>\n", write)
    }

    private mutating func container<Elements: Collection>(
        _ opening: StaticString, _ elements: Elements, _ closing: StaticString,
        _ write: (inout XMLWriter, Elements.Element) -> Void
    ) {
        line(opening)
        guard !elements.isEmpty else { return raw("/>\n") }
        raw(">\n")
        depth += 1
        for element in elements { write(&self, element) }
        depth -= 1
        line(closing)
    }

    /// Writes the indentation and the text of a line.
    private mutating func line(_ text: StaticString) {
        bytes.append(contentsOf: repeatElement(0x09, count: depth))
        raw(text)
    }

    private mutating func escaped(_ text: String) {
        guard text.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E }) else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): raw("&amp;")
            case UInt8(ascii: "<"): raw("&lt;")
            case UInt8(ascii: ">"): raw("&gt;")
            default: bytes.append(byte)
            }
        }
    }

    private mutating func raw(_ text: StaticString) {
        // The buffer belongs to a constant and is only read during the call.
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }
}

extension PropertyListTemplate {
    /// Creates the template for a new XML file.
    ///
    /// - Parameter foreign: The entries of other programs with their keys, from another file.
    init(xmlEntries foreign: [ArraySlice<UInt8>]) {
        let beginning = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>

            """
        let before = Array(beginning.utf8) + foreign.flatMap { [0x09] + $0 + [0x0A] }
        self = .xml(before: before, after: Array("</dict>\n</plist>\n".utf8))
    }

    /// Creates the template of an existing XML file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - ownEntry: The range of the entry `UserProfile`, or `nil` if the file has none.
    ///   - root: The root dictionary: the range of its opening tag, whether this tag is an empty element (`<dict/>`),
    ///     and the start of the closing tag.
    init(xml bytes: [UInt8], ownEntry: Range<Int>?, root: (tag: Range<Int>, isEmpty: Bool, end: Int)) {
        if root.isEmpty {
            self = .xml(
                before: Array(bytes[..<root.tag.lowerBound]) + Array("<dict>\n".utf8),
                after: Array("</dict>".utf8) + bytes[root.tag.upperBound...])
            return
        }
        // The neighboring white space is dropped, because the writer indents each line and ends it with a line feed.
        let replaced = ownEntry ?? root.end..<root.end
        let rest = bytes[replaced.upperBound...].drop { $0 == 0x20 || $0 == 0x09 }
        let lineEnd = rest.starts(with: [0x0D, 0x0A]) ? 2 : rest.first == 0x0A ? 1 : 0
        self = .xml(before: Self.linesBefore(bytes[..<replaced.lowerBound]), after: Array(rest.dropFirst(lineEnd)))
    }

    /// Returns bytes without the indentation of an unfinished last line, and with a line feed at the end.
    private static func linesBefore(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let trimmed = bytes.dropLast(bytes.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count)
        return Array(trimmed) + (trimmed.last == 0x0A ? [] : [0x0A])
    }
}
