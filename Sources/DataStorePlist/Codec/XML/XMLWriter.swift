import DataStoreCore

/// A writer of the entry `UserProfile` of an XML property list. It indents each line by tabs, and begins at most one
/// element on each line.
struct XMLWriter {
    private(set) var bytes: [UInt8] = []
    private var depth = 1

    /// Creates a writer.
    ///
    /// - Parameter capacity: The expected number of bytes.
    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ bytes: some Collection<UInt8>) { self.bytes.append(contentsOf: bytes) }

    /// Writes the key `UserProfile` and the dictionary with all records.
    ///
    /// - Parameter forEachRecord: A closure that passes each record to its argument, in the order of the keys.
    mutating func append(_ forEachRecord: (_ body: (Key, Record) -> Void) -> Void) {
        key(EntryCollector.rootKey)
        open("dict")
        key(EntryCollector.formatKey)
        element("integer", String(EntryCollector.formatVersion))
        var collection: String?
        forEachRecord { key, record in
            if collection.map({ !$0.hasSameBytes(as: key.collection) }) ?? true {
                if collection != nil { close("dict") }
                collection = key.collection
                self.key(NameCoding.collectionKey(of: key.collection))
                open("dict")
            }
            self.key(NameCoding.key(of: key.id, in: key.collection))
            append(record)
        }
        if collection != nil { close("dict") }
        close("dict")
    }

    // MARK: Values

    private mutating func append(_ record: Record) {
        guard !record.isEmpty else { return line("<dict/>") }
        open("dict")
        for field in record {
            name(field.name)
            append(field.value)
        }
        close("dict")
    }

    private mutating func append(_ value: Value) {
        if let (key, value) = ValueCoding.wrapped(value) {
            open("dict")
            self.key(key)
            write(value)
            close("dict")
        } else {
            write(value)
        }
    }

    /// Writes a value that a property list can represent.
    private mutating func write(_ value: Value) {
        switch value {
        case .string(let text):
            indent()
            raw("<string>")
            escaped(text)
            raw("</string>\n")
        case .integer(let number): element("integer", String(number))
        // The description of a NaN may contain its payload.
        case .real(let number): element("real", number.isNaN ? "nan" : "\(number)")
        case .bool(let flag): line(flag ? "<true/>" : "<false/>")
        case .date(let date): element("date", DateCoding.text(of: date.seconds))
        case .data(let bytes), .sealed(let bytes): append(bytes)
        case .array(let values):
            guard !values.isEmpty else { return line("<array/>") }
            open("array")
            for value in values { append(value) }
            close("array")
        case .record(let record): append(record)
        }
    }

    private mutating func append(_ data: [UInt8]) {
        line("<data>")
        let text = Base64.text(of: data)
        for start in stride(from: 0, to: text.count, by: 76) {
            indent()
            bytes.append(contentsOf: text[start..<min(start + 76, text.count)])
            raw("\n")
        }
        line("</data>")
    }

    // MARK: Tags

    private mutating func name(_ name: String) { key(NameCoding.key(of: name)) }

    private mutating func key(_ key: String) {
        indent()
        raw("<key>")
        escaped(key)
        raw("</key>\n")
    }

    /// Writes an element whose text needs no escaping.
    private mutating func element(_ name: StaticString, _ text: String) {
        indent()
        raw("<")
        raw(name)
        raw(">")
        bytes.append(contentsOf: text.utf8)
        raw("</")
        raw(name)
        raw(">\n")
    }

    private mutating func open(_ name: StaticString) {
        tag("<", name)
        depth += 1
    }

    private mutating func close(_ name: StaticString) {
        depth -= 1
        tag("</", name)
    }

    private mutating func tag(_ start: StaticString, _ name: StaticString) {
        indent()
        raw(start)
        raw(name)
        raw(">\n")
    }

    private mutating func line(_ text: StaticString) {
        indent()
        raw(text)
        raw("\n")
    }

    private mutating func indent() {
        bytes.append(contentsOf: repeatElement(0x09, count: depth))
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

/// The bytes before and after the entry `UserProfile` in an XML file. A write preserves them.
package struct XMLTemplate: Sendable {
    let before: [UInt8]
    let after: [UInt8]

    /// Creates the template for a new file.
    ///
    /// - Parameter foreign: The entries of other programs with their keys, from another file.
    init(foreign: [ArraySlice<UInt8>] = []) {
        let beginning = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>

            """
        before = Array(beginning.utf8) + foreign.flatMap { [0x09] + $0 + [0x0A] }
        after = Array("</dict>\n</plist>\n".utf8)
    }

    /// Creates the template of an existing file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - ownEntry: The range of the entry `UserProfile`, or `nil` if the file has none.
    ///   - root: The root dictionary: the range of its opening tag, whether this tag is an empty element (`<dict/>`),
    ///     and the start of the closing tag.
    init(_ bytes: [UInt8], ownEntry: Range<Int>?, root: (tag: Range<Int>, isEmpty: Bool, end: Int)) {
        if let ownEntry {
            // The neighboring white space is dropped, because the writer indents each line and ends it with a line
            // feed.
            before = Self.linesBefore(bytes[..<ownEntry.lowerBound])
            after = Array(Self.droppingLineEnd(bytes[ownEntry.upperBound...]))
        } else if root.isEmpty {
            before = Array(bytes[..<root.tag.lowerBound]) + Array("<dict>\n".utf8)
            after = Array("</dict>".utf8) + bytes[root.tag.upperBound...]
        } else {
            before = Self.linesBefore(bytes[..<root.end])
            after = Array(bytes[root.end...])
        }
    }

    /// Returns bytes without the indentation of an unfinished last line, and with a line feed at the end.
    private static func linesBefore(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let trimmed = bytes.dropLast(bytes.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count)
        return Array(trimmed) + (trimmed.last == 0x0A ? [] : [0x0A])
    }

    private static func droppingLineEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let line = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        return line.dropFirst(line.starts(with: [0x0D, 0x0A]) ? 2 : line.first == 0x0A ? 1 : 0)
    }
}
