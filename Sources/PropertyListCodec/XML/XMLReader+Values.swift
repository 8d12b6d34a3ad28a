import DataStoreCore
import Foundation

extension XMLReader {
    /// Reads the fields of a record, whose opening tag has been read.
    mutating func record() throws(ParseFailure) -> Record {
        let start = tokenStart
        let entries = try entries(depth: 0)
        do {
            return try PlistCoder.record(of: entries)
        } catch {
            throw failure(error.reason, at: start)
        }
    }

    /// Reads a value, whose first tag has been read. This calls itself, but no deeper than a record may be nested.
    mutating func value(_ token: Token, depth: Int) throws(ParseFailure) -> Value {
        let start = tokenStart
        guard case .open(let element, let isEmpty) = token else { throw unexpected("a value") }
        guard depth <= PlistCoder.maximumDepth else {
            throw failure("it is nested deeper than a record may be", at: start)
        }
        switch element {
        case .dict:
            let entries = isEmpty ? [] : try entries(depth: depth)
            do {
                return try PlistCoder.value(of: entries)
            } catch {
                throw failure(error.reason, at: start)
            }
        case .array: return .array(isEmpty ? [] : try elements(depth: depth))
        case .string: return .string(isEmpty ? "" : try text(in: .string))
        case .data: return .data(isEmpty ? [] : try data())
        case .yes, .no:
            if !isEmpty { try expect(.close(element), "the end of \(element.rawValue)") }
            return .bool(element == .yes)
        case .integer where !isEmpty: return .integer(try integer())
        case .real where !isEmpty: return .real(try real())
        case .date where !isEmpty: return .date(try date())
        default: throw unexpected("a value")
        }
    }

    private mutating func entries(depth: Int) throws(ParseFailure) -> [(key: String, value: Value)] {
        var entries: [(key: String, value: Value)] = []
        while true {
            switch try next() {
            case .close(.dict): return entries
            case .open(.key, let isEmpty):
                let key = isEmpty ? "" : try text(in: .key)
                entries.append((key, try value(try next(), depth: depth + 1)))
            default: throw unexpected("a key or the end of a dictionary")
            }
        }
    }

    private mutating func elements(depth: Int) throws(ParseFailure) -> [Value] {
        var values: [Value] = []
        while true {
            let token = try next()
            if token == .close(.array) { return values }
            values.append(try value(token, depth: depth + 1))
        }
    }

    // MARK: Scalars

    /// The whole number of an `integer` whose opening tag has been read.
    mutating func integer() throws(ParseFailure) -> Int64 {
        let (text, offset) = try word(in: .integer)
        if let number = Int64(text) { return number }
        let isNegative = text.hasPrefix("-")
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        if digits.hasPrefix("0x") || digits.hasPrefix("0X"),
            let number = Int64((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
        {
            return number
        }
        throw failure("\(Self.quoted(text)) is no integer of 64 bits", at: offset)
    }

    private mutating func real() throws(ParseFailure) -> Double {
        let (text, offset) = try word(in: .real)
        guard let number = Double(text) else {
            throw failure("\(Self.quoted(text)) is no number", at: offset)
        }
        return number
    }

    private mutating func date() throws(ParseFailure) -> Timestamp {
        let (text, offset) = try word(in: .date)
        guard let seconds = PlistDate.seconds(of: text) else {
            throw failure("\(Self.quoted(text)) is no date", at: offset)
        }
        return Timestamp(seconds: seconds)
    }

    private static func quoted(_ text: String) -> String {
        "\"\(String(text.prefix(40)).escapingControlCharacters)\""
    }

    private mutating func data() throws(ParseFailure) -> [UInt8] {
        let start = position
        let text = try text(in: .data)
        guard let data = Data(base64Encoded: Data(text.utf8.filter { !Self.isSpace($0) })) else {
            throw failure("it is not base64", at: start)
        }
        return Array(data)
    }
}
