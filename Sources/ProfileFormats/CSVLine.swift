/// A line of comma-separated values (RFC 4180, section 2).
struct CSVLine {
    private var values: [String] = []

    /// Parses a line without its line ending. Throws ``ProfileFormatError`` if a value is not valid CSV.
    init(_ line: ArraySlice<UInt8>) throws(ProfileFormatError) {
        let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
        var rest = line
        while true {
            let number = values.count + 1
            if rest.first == quote {
                guard let value = rest.removeQuoted() else {
                    throw ProfileFormatError("the quote that begins value \(number) is not closed")
                }
                guard rest.isEmpty || rest.first == comma else {
                    throw ProfileFormatError("expected a comma after the quote that ends value \(number)")
                }
                values.append(try String(ofLine: value[...]))
            } else {
                let value = rest.prefix { $0 != comma }
                guard !value.contains(quote) else {
                    throw ProfileFormatError(
                        "value \(number) contains a quote; quote the whole value and double the quote")
                }
                values.append(try String(ofLine: value))
                rest = rest[value.endIndex...]
            }
            if rest.isEmpty { return }
            // The next value begins after the comma.
            rest = rest.dropFirst()
        }
    }
}

extension CSVLine {
    /// Reads the first line of a file, which names the columns.
    ///
    /// - Returns: The profile field of each column, or `nil` for an ignored column.
    func header(ignoresUnknown: Bool) throws(ProfileFormatError) -> [ProfileField?] {
        var fields: [ProfileField?] = []
        for name in values {
            let field = ProfileField(rawValue: name)
            guard field == nil || !fields.contains(field) else {
                throw ProfileFormatError("the column \(name) occurs twice")
            }
            if field == nil, !ignoresUnknown { throw Self.unknown(name) }
            fields.append(field)
        }
        guard fields.contains(.id) else {
            throw ProfileFormatError(
                "the column id is missing; name the columns in the first line: \(ProfileField.list)")
        }
        return fields
    }

    private static func unknown(_ name: String) -> ProfileFormatError {
        // The separators have a fixed order, so that the message does not depend on a hash.
        let separators = [(";", "semicolons"), ("\t", "tabs")]
        if let (_, words) = separators.first(where: { name.contains($0.0) }) {
            return ProfileFormatError("the columns are separated by \(words); use commas")
        }
        return ProfileFormatError(
            "the column \(name.excerpt(80).quoted) is unknown; the columns are \(ProfileField.list)")
    }

    /// Reads a line whose columns have the given fields.
    func fields(_ fields: [ProfileField?]) throws(ProfileFormatError) -> ParsedFields {
        guard values.count == fields.count else {
            throw ProfileFormatError(
                "\(values.count) value\(values.count == 1 ? "" : "s"), but the first line names \(fields.count) columns"
            )
        }
        var found = ParsedFields()
        for case (let field?, let value) in zip(fields, values) { found.set(value, as: field) }
        return found
    }
}

/// A search for line ends in bytes that arrive in chunks. It examines each byte once.
struct LineBoundary: Sendable {
    private enum State { case fieldStart, field, quoted, quoteInQuoted }

    /// Whether the format has quotes, as CSV does. If so, a line feed within quotes does not end a line.
    private let knowsQuotes: Bool
    private var state = State.fieldStart
    /// The position of the first byte that has not been examined.
    private var index = 0

    init(knowsQuotes: Bool) { self.knowsQuotes = knowsQuotes }

    /// Whether the current position is within quotes.
    var isQuoted: Bool { state == .quoted }

    /// Adds `count` to the position of the next byte to examine. `count` is negative if bytes were removed from the
    /// start of the buffer.
    mutating func move(by count: Int) { index += count }

    /// Returns the end of the line that begins at `start`, as if it had no quotes, and continues there. Call this
    /// function at the end of the input if a quote is not closed, so that only one line is lost.
    mutating func endUnclosedLine(in bytes: [UInt8], from start: Int) -> Int {
        index = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
        state = .fieldStart
        return index
    }

    /// Returns the index after the next line feed that ends a line, or `nil` if the bytes contain none.
    mutating func next(in bytes: [UInt8]) -> Int? {
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch (state, byte) {
            case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
            case (.quoted, _): break
            case (_, UInt8(ascii: "\n")):
                state = .fieldStart
                return index
            case (_, UInt8(ascii: ",")): state = .fieldStart
            case (.fieldStart, UInt8(ascii: "\"")) where knowsQuotes, (.quoteInQuoted, UInt8(ascii: "\"")):
                state = .quoted
            // A byte order mark may come before the first field.
            case (.fieldStart, 0xEF), (.fieldStart, 0xBB), (.fieldStart, 0xBF): break
            default: state = .field
            }
        }
        return nil
    }
}
