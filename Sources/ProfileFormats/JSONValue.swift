/// A JSON value (RFC 8259). A number keeps its text, and an object keeps the order of its members.
package enum JSONValue: Sendable {
    /// A member of an object.
    package typealias Member = (name: String, value: JSONValue)

    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// Parses a JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8, which may begin with a byte order mark.
    ///   - isTolerant: Whether to accept members that occur twice, and strings with control characters or with halves
    ///     of surrogate pairs.
    /// - Throws: ``ProfileFormatError`` with the reason and the position if the text is not a single valid JSON value,
    ///   or if a member of an object occurs twice.
    package init(parsing bytes: [UInt8], isTolerant: Bool = false) throws(ProfileFormatError) {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        var parser = JSONParser(text, allowsRepetition: isTolerant, isTolerant: isTolerant)
        do throws(ProfileFormatError) {
            self = try parser.value()
            guard parser.skipSpace() == nil else { throw ProfileFormatError("nothing may follow the value") }
        } catch {
            throw ProfileFormatError(error.reason, at: parser.rest.startIndex)
        }
    }

    /// Parses a JSON text as ``init(parsing:isTolerant:)`` does. Throws `ValidationError` about a subject.
    package init(
        parsing bytes: [UInt8], as subject: ValidationError.Subject, isTolerant: Bool = false
    ) throws(ValidationError) {
        do {
            self = try JSONValue(parsing: bytes, isTolerant: isTolerant)
        } catch {
            throw ValidationError(
                subject, given: bytes.jsonExcerpt, rule: "not JSON: \(error.reason)", offset: error.offset)
        }
    }
}

extension [UInt8] {
    /// The beginning of a JSON text on one line, for error messages.
    package var jsonExcerpt: String {
        String(decoding: prefix(120), as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Appends a JSON string in quotes. Quotes, backslashes and the characters that `String.printable` replaces are
    /// escaped.
    package mutating func append(json text: String) {
        append(UInt8(ascii: "\""))
        let start = count
        var isPlain = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case UInt8(ascii: "\n"): self += "\\n".utf8
            case UInt8(ascii: "\r"): self += "\\r".utf8
            case UInt8(ascii: "\t"): self += "\\t".utf8
            default:
                isPlain = isPlain && (0x20..<0x7F).contains(byte)
                append(byte)
            }
        }
        if !isPlain {
            let escaped = String(decoding: self[start...], as: UTF8.self).printableJSON
            replaceSubrange(start..., with: escaped.utf8)
        }
        append(UInt8(ascii: "\""))
    }
}
