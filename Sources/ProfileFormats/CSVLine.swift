import UserProfileDomain

/// A parser for a line of comma-separated values (RFC 4180, section 2).
struct CSVLine {
    private let bytes: [UInt8]
    private let range: Range<Int>

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// Passes the index of each column, counted from 0, and its value to a closure.
    ///
    /// - Returns: The number of values.
    /// - Throws: ``ProfileFormatError`` if a value is not valid CSV, or any error of the closure.
    func forEach(_ body: (Int, String) throws(ProfileFormatError) -> Void) throws(ProfileFormatError) -> Int {
        var (index, column) = (range.lowerBound, 0)
        while true {
            let isQuoted = index < range.upperBound && bytes[index] == UInt8(ascii: "\"")
            try body(column, isQuoted ? try quoted(&index, column) : try plain(&index, column))
            column += 1
            guard index < range.upperBound else { return column }
            // The index moves past the comma.
            index += 1
        }
    }

    private func plain(_ index: inout Int, _ column: Int) throws(ProfileFormatError) -> String {
        let start = index
        while index < range.upperBound, bytes[index] != UInt8(ascii: ",") {
            guard bytes[index] != UInt8(ascii: "\"") else {
                throw ProfileFormatError(
                    "value \(column + 1) contains a quote; quote the whole value and double the quote")
            }
            index += 1
        }
        return try String(ofLine: bytes[start..<index])
    }

    private func quoted(_ index: inout Int, _ column: Int) throws(ProfileFormatError) -> String {
        index += 1
        var start = index
        var value: [UInt8] = []
        while index < range.upperBound {
            guard bytes[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            value += bytes[start..<index]
            index += 1
            if index == range.upperBound || bytes[index] == UInt8(ascii: ",") { return try String(ofLine: value[...]) }
            guard bytes[index] == UInt8(ascii: "\"") else {
                throw ProfileFormatError("expected a comma after the quote that ends value \(column + 1)")
            }
            start = index
            index += 1
        }
        throw ProfileFormatError("the quote that begins value \(column + 1) is not closed")
    }
}

extension CSVLine {
    /// Reads the first line of a file, which names the columns.
    ///
    /// - Returns: The profile field of each column, or `nil` for an ignored column.
    func header(ignoresUnknown: Bool) throws(ProfileFormatError) -> [ProfileField?] {
        var fields: [ProfileField?] = []
        do throws(ProfileFormatError) {
            _ = try forEach { (_, name) throws(ProfileFormatError) in
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
        } catch {
            throw ProfileFormatError(error.reason, isFatal: true)
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
        var found = ParsedFields()
        let count = try forEach { (column, value) throws(ProfileFormatError) in
            if column < fields.count, let field = fields[column] { found.set(value, as: field) }
        }
        guard count == fields.count else {
            throw ProfileFormatError(
                "\(count) value\(count == 1 ? "" : "s"), but the first line names \(fields.count) columns")
        }
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

    /// Returns the index after the line feed of the line that begins at `start`. Returns `nil` if the bytes contain no
    /// line feed that ends the line.
    mutating func next(in bytes: [UInt8], from start: Int) -> Int? {
        if !knowsQuotes {
            let end = bytes[max(index, start)...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
            index = end ?? bytes.count
            return end
        }
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
            case (.fieldStart, UInt8(ascii: "\"")), (.quoteInQuoted, UInt8(ascii: "\"")): state = .quoted
            // A byte order mark may come before the first field.
            case (.fieldStart, 0xEF), (.fieldStart, 0xBB), (.fieldStart, 0xBF): break
            default: state = .field
            }
        }
        return nil
    }
}
