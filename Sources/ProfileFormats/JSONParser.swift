import UserProfileDomain

/// A parser for a line with one JSON object (RFC 8259). The members of a profile are strings or null; ignored members
/// can have any JSON value.
///
/// Foundation's decoder is more general but takes six times as long: 3.9 µs instead of 0.6 µs for a profile (Swift
/// 6.3.1 on Linux). Both times include the validation of the values.
struct JSONLine {
    let bytes: [UInt8]
    let end: Int
    var index: Int
    /// Whether unknown members are ignored. They may then have any value, with members that occur twice.
    let ignoresUnknown: Bool
    /// Whether a string may contain control characters and halves of surrogate pairs.
    var isTolerant = false

    init(_ bytes: [UInt8], _ range: Range<Int>, ignoresUnknown: Bool) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
        self.ignoresUnknown = ignoresUnknown
    }

    /// Decodes the members of the object. Returns `nil` if the line is blank.
    mutating func fields() throws(ProfileFormatError) -> ParsedFields? {
        guard let first = skipSpace() else { return nil }
        guard first == UInt8(ascii: "{") else {
            throw ProfileFormatError("not a JSON object; write one per line, like {\"id\":\"me\"}")
        }
        var found = ParsedFields()
        try members { line, name, _ throws(ProfileFormatError) in
            guard let field = ProfileField(rawValue: name) else {
                guard line.ignoresUnknown else {
                    throw ProfileFormatError(
                        "the member \(name.excerpt(80).quoted) is unknown; the members are \(ProfileField.list)")
                }
                _ = try line.value(depth: 1)
                return
            }
            let text: String
            switch try line.value(depth: 1) {
            case .string(let string): text = string
            case .null: text = ""
            default: throw ProfileFormatError("the member \(name) is not a string")
            }
            guard found.set(text, as: field) else { throw ProfileFormatError("the member \(name) occurs twice") }
        }
        guard skipSpace() == nil else { throw ProfileFormatError("nothing may follow the object") }
        return found
    }

    /// Passes the name of each member of the object at the current position to `body`, which decodes the value.
    ///
    /// - Parameter body: A closure that receives this parser, the name, and the position of the name.
    /// - Throws: ``ProfileFormatError`` if the object is invalid, or the problem that `body` throws.
    mutating func members(
        _ body: (inout JSONLine, String, Int) throws(ProfileFormatError) -> Void
    ) throws(ProfileFormatError) {
        index += 1
        if skip("}") { return }
        repeat {
            guard skipSpace() == UInt8(ascii: "\"") else { throw ProfileFormatError("the name of a member is missing") }
            let start = index
            let name = try string()
            try expect(":", "a colon is missing after the name \(name.excerpt(80).quoted)")
            try body(&self, name, start)
        } while skip(",")
        try expect("}", "the object is not closed: a comma or } is missing")
    }

    // MARK: Numbers

    /// Skips a number (RFC 8259, section 6). In `01`, only the `0` is skipped, and the caller rejects the `1`.
    mutating func skipNumber() throws(ProfileFormatError) {
        _ = skipByte("-")
        var isValid = skipByte("0") || skipDigits()
        if isValid, skipByte(".") { isValid = skipDigits() }
        if isValid, skipByte("e") || skipByte("E") {
            _ = skipByte("+") || skipByte("-")
            isValid = skipDigits()
        }
        guard isValid else { throw ProfileFormatError("a value is missing or not valid JSON") }
    }

    private mutating func skipByte(_ scalar: Unicode.Scalar) -> Bool {
        guard index < end, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    /// Skips digits.
    ///
    /// - Returns: Whether there is at least one digit.
    private mutating func skipDigits() -> Bool {
        let start = index
        while index < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
        return index > start
    }

    // MARK: Scanning

    /// Skips white space.
    ///
    /// - Returns: The byte that follows, or `nil` at the end of the line.
    mutating func skipSpace() -> UInt8? {
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): index += 1
            case let byte: return byte
            }
        }
        return nil
    }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard skipSpace() == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    mutating func expect(_ scalar: Unicode.Scalar, _ reason: @autoclosure () -> String) throws(ProfileFormatError) {
        guard skip(scalar) else { throw ProfileFormatError(reason()) }
    }
}

extension JSONLine {
    /// Decodes the string whose opening quote is at the current position.
    mutating func string() throws(ProfileFormatError) -> String {
        index += 1
        var start = index
        // The decoded bytes up to the last escape sequence.
        var decoded: [UInt8] = []
        while index < end {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let last = bytes[start..<index]
                index += 1
                return try String(ofLine: decoded.isEmpty ? last : (decoded + last)[...])
            case UInt8(ascii: "\\"):
                decoded += bytes[start..<index]
                index += 1
                decoded += try escaped()
                start = index
            case ..<0x20 where !isTolerant:
                throw ProfileFormatError("a string contains a control character; write it as an escape")
            default: index += 1
            }
        }
        throw ProfileFormatError("a string is not closed by a quote")
    }

    /// Decodes an escape sequence. The position is after the backslash.
    private mutating func escaped() throws(ProfileFormatError) -> [UInt8] {
        guard index < end else { throw ProfileFormatError("a string is not closed by a quote") }
        let letter = bytes[index]
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var units = [try codeUnit()]
            if UTF16.isLeadSurrogate(units[0]), bytes[index..<end].starts(with: "\\u".utf8) {
                index += 2
                units.append(try codeUnit())
            }
            // The decoding replaces half of a pair.
            guard isTolerant || String(validating: units, as: UTF16.self) != nil else {
                throw ProfileFormatError("a \\u escape is half of a surrogate pair; write both halves")
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default: throw ProfileFormatError("a backslash is not followed by a JSON escape")
        }
    }

    /// Decodes four hexadecimal digits.
    private mutating func codeUnit() throws(ProfileFormatError) -> UInt16 {
        guard end - index >= 4, bytes[index..<index + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw ProfileFormatError("four hexadecimal digits must follow \\u") }
        index += 4
        return unit
    }
}
