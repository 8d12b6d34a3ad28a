extension JSONLine {
    /// Decodes the string whose opening quote is at the current position.
    mutating func string() throws(LineProblem) -> String {
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
            case ..<0x20: throw LineProblem("a string contains a control character; write it as an escape")
            default: index += 1
            }
        }
        throw LineProblem("a string is not closed by a quote")
    }

    /// Decodes an escape sequence. The position is after the backslash.
    private mutating func escaped() throws(LineProblem) -> [UInt8] {
        guard index < end else { throw LineProblem("a string is not closed by a quote") }
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
            guard let text = String(validating: units, as: UTF16.self) else {
                throw LineProblem("a \\u escape is half of a surrogate pair; write both halves")
            }
            return Array(text.utf8)
        default: throw LineProblem("a backslash is not followed by a JSON escape")
        }
    }

    /// Decodes four hexadecimal digits.
    private mutating func codeUnit() throws(LineProblem) -> UInt16 {
        guard end - index >= 4, bytes[index..<index + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw LineProblem("four hexadecimal digits must follow \\u") }
        index += 4
        return unit
    }
}
