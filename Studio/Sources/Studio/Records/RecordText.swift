import UserProfileKit

/// The value of a field of a record as one short line.
struct RecordText {
    /// The number of characters after which a value is cut off.
    static let maximumCount = 300

    private(set) var text = ""

    /// Creates the text of a value.
    init(_ value: Value) {
        append(value)
        if text.count > RecordText.maximumCount { text = "\(text.prefix(RecordText.maximumCount))…" }
    }

    private var isFull: Bool { text.utf8.count > RecordText.maximumCount * 4 }

    private mutating func append(_ value: Value) {
        guard !isFull else { return }
        switch value {
        case .string(let string): text += "\"\(string.prefix(RecordText.maximumCount))\""
        case .integer(let number): text += "\(number)"
        case .real(let number): text += "\(number)"
        case .bool(let flag): text += "\(flag)"
        case .date(let date): text += "\(Instant(seconds: date.seconds, nanoseconds: date.nanoseconds))"
        case .data(let bytes): append(bytes)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() where !isFull {
                if index > 0 { text += ", " }
                append(value)
            }
            text += "]"
        case .record(let record):
            text += "{"
            for (index, field) in record.enumerated() where !isFull {
                text += "\(index > 0 ? ", " : "")\(field.name.prefix(RecordText.maximumCount)): "
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
