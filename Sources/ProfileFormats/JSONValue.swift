package import UserProfileDomain

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
        var line = JSONLine(bytes, bytes.indices, ignoresUnknown: isTolerant)
        line.isTolerant = isTolerant
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: mark) { line.index = mark.count }
        do throws(ProfileFormatError) {
            self = try line.value(depth: 1)
            guard line.skipSpace() == nil else { throw ProfileFormatError("nothing may follow the value") }
        } catch {
            throw ProfileFormatError(error.reason, at: line.index)
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

extension JSONLine {
    /// The maximum nesting depth of values. It limits the recursion, and exceeds the maximum depth of records.
    private static let maximumValueDepth = 100

    /// Decodes the value at the current position.
    mutating func value(depth: Int) throws(ProfileFormatError) -> JSONValue {
        guard depth <= JSONLine.maximumValueDepth else { throw ProfileFormatError("values are nested too deep") }
        switch skipSpace() {
        case UInt8(ascii: "\"")?: return .string(try string())
        case UInt8(ascii: "{")?: return try object(depth)
        case UInt8(ascii: "[")?: return try array(depth)
        case let byte? where Character(Unicode.Scalar(byte)).isLetter: return try literal()
        default:
            let start = index
            try skipNumber()
            return .number(String(decoding: bytes[start..<index], as: UTF8.self))
        }
    }

    private mutating func literal() throws(ProfileFormatError) -> JSONValue {
        for (word, value) in [("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false))]
        where bytes[index..<end].starts(with: word.utf8) {
            index += word.utf8.count
            return value
        }
        throw ProfileFormatError("a value is not valid JSON; write text in double quotes")
    }

    private mutating func array(_ depth: Int) throws(ProfileFormatError) -> JSONValue {
        index += 1
        var values: [JSONValue] = []
        if skip("]") { return .array(values) }
        repeat { values.append(try value(depth: depth + 1)) } while skip(",")
        try expect("]", "a comma or ] is missing")
        return .array(values)
    }

    private mutating func object(_ depth: Int) throws(ProfileFormatError) -> JSONValue {
        var members: [JSONValue.Member] = []
        // Names are compared by their bytes, as the names of the fields of a record are.
        var names: Set<[UInt8]> = []
        try self.members { line, name, start throws(ProfileFormatError) in
            guard names.insert(Array(name.utf8)).inserted || line.ignoresUnknown else {
                line.index = start
                throw ProfileFormatError("the member \(name.excerpt(80).quoted) occurs twice")
            }
            members.append((name, try line.value(depth: depth + 1)))
        }
        return .object(members)
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
