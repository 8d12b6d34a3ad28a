import UserProfileKit

/// The value of a field of a record as one short line.
struct RecordText {
    /// The number of Unicode scalars after which a value is cut off. A character has no maximum number of them.
    static let maximumCount = 300

    private(set) var text = ""

    /// Creates the text of a value.
    init(_ value: Value) {
        append(value)
        text = RecordText.shortened(text)
    }

    /// Returns the beginning of a long text, or all of a short one.
    static func shortened(_ text: String) -> String {
        let beginning = text.unicodeScalars.prefix(maximumCount)
        return beginning.endIndex == text.endIndex ? text : "\(String(beginning))…"
    }

    private var isFull: Bool { text.utf8.count > RecordText.maximumCount * 4 }

    private mutating func append(_ value: Value) {
        guard !isFull else { return }
        switch value {
        case .string(let string): text += "\"\(RecordText.shortened(string))\""
        case .integer(let number): text += "\(number)"
        case .real(let number): text += "\(number)"
        case .bool(let flag): text += "\(flag)"
        case .date(let date): text += "\(Instant(seconds: date.seconds, nanoseconds: date.nanoseconds))"
        case .data(let bytes): append(bytes)
        case .sealed: text += "sealed"
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                guard !isFull else { break }
                if index > 0 { text += ", " }
                append(value)
            }
            text += "]"
        case .record(let record):
            text += "{"
            for (index, field) in record.enumerated() {
                guard !isFull else { break }
                text += "\(index > 0 ? ", " : "")\(RecordText.shortened(field.name)): "
                append(field.value)
            }
            text += "}"
        }
    }

    private mutating func append(_ bytes: [UInt8]) {
        text += bytes.count == 1 ? "1 byte:" : "\(bytes.count) bytes:"
        for byte in bytes.prefix(32) { text += (byte < 16 ? " 0" : " ") + String(byte, radix: 16) }
        if bytes.count > 32 { text += " …" }
    }
}
