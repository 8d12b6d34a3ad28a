/// A parser for JSON texts (RFC 8259).
struct JSONParser {
    /// The maximum nesting depth of values. It limits the recursion, and exceeds the maximum depth of records.
    private static let maximumValueDepth = 100

    /// The bytes that have not been read.
    private(set) var rest: ArraySlice<UInt8>
    /// Whether a member of an object may occur several times.
    private let allowsRepetition: Bool
    /// Whether a string may contain control characters and halves of surrogate pairs.
    private let isTolerant: Bool

    init(_ text: ArraySlice<UInt8>, allowsRepetition: Bool, isTolerant: Bool = false) {
        rest = text
        self.allowsRepetition = allowsRepetition
        self.isTolerant = isTolerant
    }

    /// Decodes the next value.
    mutating func value(depth: Int = 1) throws(ProfileFormatError) -> JSONValue {
        guard depth <= JSONParser.maximumValueDepth else { throw ProfileFormatError("values are nested too deep") }
        switch skipSpace() {
        case UInt8(ascii: "\"")?: return .string(try string())
        case UInt8(ascii: "{")?: return .object(try members(depth))
        case UInt8(ascii: "[")?: return .array(try elements(depth))
        case let byte? where Character(Unicode.Scalar(byte)).isLetter:
            if skip("null") { return .null }
            if skip("true") { return .bool(true) }
            if skip("false") { return .bool(false) }
            throw ProfileFormatError("a value is not valid JSON; write text in double quotes")
        default: return .number(try number())
        }
    }

    private mutating func elements(_ depth: Int) throws(ProfileFormatError) -> [JSONValue] {
        rest = rest.dropFirst()
        var values: [JSONValue] = []
        if skipSymbol("]") { return values }
        repeat { values.append(try value(depth: depth + 1)) } while skipSymbol(",")
        try expect("]", "a comma or ] is missing")
        return values
    }

    private mutating func members(_ depth: Int) throws(ProfileFormatError) -> [JSONValue.Member] {
        rest = rest.dropFirst()
        var members: [JSONValue.Member] = []
        // Names are compared by their bytes, as the names of the fields of a record are.
        var names: Set<[UInt8]> = []
        if skipSymbol("}") { return members }
        repeat {
            guard skipSpace() == UInt8(ascii: "\"") else { throw ProfileFormatError("the name of a member is missing") }
            let start = rest
            let name = try string()
            try expect(":", "a colon is missing after the name \(name.excerpt(80).quoted)")
            guard allowsRepetition || names.insert(Array(name.utf8)).inserted else {
                rest = start
                throw ProfileFormatError("the member \(name.excerpt(80).quoted) occurs twice")
            }
            members.append((name, try value(depth: depth + 1)))
        } while skipSymbol(",")
        try expect("}", "the object is not closed: a comma or } is missing")
        return members
    }

    // MARK: Numbers

    /// Reads a number (RFC 8259, section 6). Of `01`, only the `0` is read, and the caller rejects the `1`.
    private mutating func number() throws(ProfileFormatError) -> String {
        let start = rest
        _ = skip("-")
        var isValid = skip("0") || skipDigits()
        if isValid, skip(".") { isValid = skipDigits() }
        if isValid, skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            isValid = skipDigits()
        }
        guard isValid else { throw ProfileFormatError("a value is missing or not valid JSON") }
        return String(decoding: start[..<rest.startIndex], as: UTF8.self)
    }

    /// Skips digits.
    ///
    /// - Returns: Whether there is at least one digit.
    private mutating func skipDigits() -> Bool {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        return !digits.isEmpty
    }

    // MARK: Scanning

    /// Skips white space.
    ///
    /// - Returns: The byte that follows, or `nil` at the end of the text.
    mutating func skipSpace() -> UInt8? {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return rest.first
    }

    /// Skips a word if it follows.
    ///
    /// - Returns: Whether the word follows.
    private mutating func skip(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private mutating func skipSymbol(_ symbol: String) -> Bool {
        _ = skipSpace()
        return skip(symbol)
    }

    private mutating func expect(
        _ symbol: String, _ reason: @autoclosure () -> String
    ) throws(ProfileFormatError) {
        guard skipSymbol(symbol) else { throw ProfileFormatError(reason()) }
    }

    // MARK: Strings

    /// Decodes the string whose opening quote is the next byte.
    private mutating func string() throws(ProfileFormatError) -> String {
        rest = rest.dropFirst()
        // The decoded bytes up to the last escape sequence.
        var decoded: [UInt8] = []
        while true {
            let plain = rest.prefix {
                $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && ($0 >= 0x20 || isTolerant)
            }
            rest = rest[plain.endIndex...]
            if skip("\"") { return try String(ofLine: decoded.isEmpty ? plain : (decoded + plain)[...]) }
            guard skip("\\") else {
                throw ProfileFormatError(
                    rest.isEmpty
                        ? "a string is not closed by a quote"
                        : "a string contains a control character; write it as an escape")
            }
            decoded += plain
            decoded += try escaped()
        }
    }

    /// Decodes an escape sequence after its backslash.
    private mutating func escaped() throws(ProfileFormatError) -> [UInt8] {
        guard let letter = rest.first else { throw ProfileFormatError("a string is not closed by a quote") }
        rest = rest.dropFirst()
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var units = [try codeUnit()]
            if UTF16.isLeadSurrogate(units[0]), skip("\\u") { units.append(try codeUnit()) }
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
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw ProfileFormatError("four hexadecimal digits must follow \\u") }
        rest = rest.dropFirst(4)
        return unit
    }
}

extension ParsedFields {
    /// Decodes a line with one JSON object, whose members are strings or null. Returns `nil` if the line is blank.
    init?(json line: ArraySlice<UInt8>, ignoresUnknown: Bool) throws(ProfileFormatError) {
        var parser = JSONParser(line, allowsRepetition: true)
        guard let first = parser.skipSpace() else { return nil }
        guard first == UInt8(ascii: "{"), case .object(let members) = try parser.value(depth: 0) else {
            throw ProfileFormatError("not a JSON object; write one per line, like {\"id\":\"me\"}")
        }
        guard parser.skipSpace() == nil else { throw ProfileFormatError("nothing may follow the object") }
        for (name, value) in members {
            guard let field = ProfileField(rawValue: name) else {
                if ignoresUnknown { continue }
                throw ProfileFormatError(
                    "the member \(name.excerpt(80).quoted) is unknown; the members are \(ProfileField.list)")
            }
            let text: String
            switch value {
            case .string(let string): text = string
            case .null: text = ""
            default: throw ProfileFormatError("the member \(name) is not a string")
            }
            guard set(text, as: field) else { throw ProfileFormatError("the member \(name) occurs twice") }
        }
    }
}
