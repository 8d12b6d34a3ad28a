import DataStoreCore
import DataStoreMemory
import Foundation

/// Writes our entry of an XML property list, a tag a line, indented by tabs as other programs do it.
struct XMLWriter {
    private(set) var bytes: [UInt8] = []
    private var depth = 1

    /// - Parameter capacity: how many bytes there will be, about.
    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ bytes: some Collection<UInt8>) { self.bytes.append(contentsOf: bytes) }

    /// Writes the key and the dictionary of all records.
    mutating func append(_ records: RecordTree) {
        key(StoredEntries.rootKey)
        open("dict")
        key(StoredEntries.formatKey)
        element("integer", String(StoredEntries.formatVersion))
        var collection: String?
        records.forEachRecord { key, record in
            if collection.map({ !$0.hasSameBytes(as: key.collection) }) ?? true {
                if collection != nil { close("dict") }
                collection = key.collection
                name(key.collection)
                open("dict")
            }
            name(key.id)
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
        switch value {
        case .string(let text): append(text)
        case .integer(let number): element("integer", String(number))
        case .real(let number):
            if number == 0, number.sign == .minus {
                wrapped(PlistCoder.realKey) { $0.element("string", PlistCoder.negativeZero) }
            } else {
                // A NaN with bits of its own would be described with them.
                element("real", number.isNaN ? "nan" : "\(number)")
            }
        case .bool(let flag): line(flag ? "<true/>" : "<false/>")
        case .date(let date): append(date)
        case .data(let bytes): append(bytes)
        case .array(let values):
            guard !values.isEmpty else { return line("<array/>") }
            open("array")
            for value in values { append(value) }
            close("array")
        case .record(let record): append(record)
        }
    }

    private mutating func append(_ text: String) {
        switch PlistText.form(of: text) {
        case .plain: element("string", text)
        case .escaped:
            indent()
            raw("<string>")
            escaped(text)
            raw("</string>\n")
        case .unprintable: wrapped(PlistCoder.stringKey) { $0.append(Array(text.utf8)) }
        }
    }

    private mutating func append(_ date: Timestamp) {
        if PlistCoder.isPlain(date) { return element("date", PlistDate.text(of: date.seconds)) }
        wrapped(PlistCoder.dateKey) { writer in
            writer.open("array")
            writer.element("integer", String(date.seconds))
            writer.element("integer", String(date.nanoseconds))
            writer.close("array")
        }
    }

    private mutating func append(_ data: [UInt8]) {
        line("<data>")
        let text = Array(Data(data).base64EncodedData())
        for start in stride(from: 0, to: text.count, by: 76) {
            indent()
            bytes.append(contentsOf: text[start..<min(start + 76, text.count)])
            raw("\n")
        }
        line("</data>")
    }

    private mutating func wrapped(_ key: String, _ write: (inout XMLWriter) -> Void) {
        open("dict")
        self.key(key)
        write(&self)
        close("dict")
    }

    // MARK: Tags

    private mutating func name(_ name: String) { key(PlistName.encoded(name)) }

    private mutating func key(_ key: String) {
        indent()
        raw("<key>")
        escaped(key)
        raw("</key>\n")
    }

    /// Writes an element whose text needs no references.
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
        indent()
        raw("<")
        raw(name)
        raw(">\n")
        depth += 1
    }

    private mutating func close(_ name: StaticString) {
        depth -= 1
        indent()
        raw("</")
        raw(name)
        raw(">\n")
    }

    private mutating func line(_ text: StaticString) {
        indent()
        raw(text)
        raw("\n")
    }

    private mutating func indent() {
        for _ in 0..<depth { bytes.append(0x09) }
    }

    private mutating func escaped(_ text: String) {
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
        // The pointer is to a constant of the program.
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }
}
