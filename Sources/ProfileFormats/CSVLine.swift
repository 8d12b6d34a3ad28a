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
    /// - Throws: ``LineProblem`` if a value is not valid CSV, or any error of the closure.
    func forEach(_ body: (Int, String) throws(LineProblem) -> Void) throws(LineProblem) -> Int {
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

    private func plain(_ index: inout Int, _ column: Int) throws(LineProblem) -> String {
        let start = index
        while index < range.upperBound, bytes[index] != UInt8(ascii: ",") {
            guard bytes[index] != UInt8(ascii: "\"") else {
                throw LineProblem(
                    "value \(column + 1) contains a quote; quote the whole value and double the quote")
            }
            index += 1
        }
        return try String(ofLine: bytes[start..<index])
    }

    private func quoted(_ index: inout Int, _ column: Int) throws(LineProblem) -> String {
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
                throw LineProblem("expected a comma after the quote that ends value \(column + 1)")
            }
            start = index
            index += 1
        }
        throw LineProblem("the quote that begins value \(column + 1) is not closed")
    }
}

/// The first line of a CSV file, which names the columns.
struct CSVHeader: Sendable {
    /// The profile field of each column, or `nil` for an ignored column.
    private let fields: [ProfileField?]

    init(_ line: CSVLine, ignoresUnknown: Bool) throws(LineProblem) {
        var fields: [ProfileField?] = []
        do throws(LineProblem) {
            _ = try line.forEach { (_, name) throws(LineProblem) in
                let field = ProfileField(rawValue: name)
                guard field == nil || !fields.contains(field) else {
                    throw LineProblem("the column \(name) occurs twice")
                }
                if field == nil, !ignoresUnknown { throw CSVHeader.unknown(name) }
                fields.append(field)
            }
            guard fields.contains(.id) else {
                throw LineProblem("the column id is missing; name the columns in the first line: \(ProfileField.list)")
            }
        } catch {
            throw LineProblem(error.reason, isFatal: true)
        }
        self.fields = fields
    }

    private static func unknown(_ name: String) -> LineProblem {
        // The separators have a fixed order, so that the message does not depend on a hash.
        let separators = [(";", "semicolons"), ("\t", "tabs")]
        if let (_, words) = separators.first(where: { name.contains($0.0) }) {
            return LineProblem("the columns are separated by \(words); use commas")
        }
        return LineProblem(
            "the column \(name.excerpt(80).quoted) is unknown; the columns are \(ProfileField.list)")
    }

    func fields(of line: CSVLine) throws(LineProblem) -> ParsedFields {
        var found = ParsedFields()
        let count = try line.forEach { (column, value) throws(LineProblem) in
            if column < fields.count, let field = fields[column] { found.set(value, as: field) }
        }
        guard count == fields.count else {
            throw LineProblem(
                "\(count) value\(count == 1 ? "" : "s"), but the first line names \(fields.count) columns")
        }
        return found
    }
}
