import DataStoreCore

/// The encoding of values that a property list cannot represent exactly. Such a value becomes a dictionary with one
/// entry:
///
/// - `{$string: data}` for text with control characters;
/// - `{$date: [seconds, nanoseconds]}` for dates with a fraction of a second or outside the years 1 to 9999;
/// - `{$real: "-0.0"}` for negative zero.
enum ValueCoding {
    static let stringKey = "$string"
    static let dateKey = "$date"
    static let realKey = "$real"
    static let negativeZero = "-0.0"

    /// The maximum nesting depth of an element within a record of an XML file. The deepest elements are the two
    /// integers of a `$date` in an array with the depth `Record.maximumDepth`.
    static let maximumDepth = Record.maximumDepth + 3

    /// Returns the key and the value of the dictionary that encodes a value. Returns `nil` if a property list can
    /// represent the value itself.
    static func wrapped(_ value: Value) -> (key: String, value: Value)? {
        switch value {
        case .string(let text) where !PrintableText.isPrintable(text): (stringKey, .data(Array(text.utf8)))
        case .real(let number) where number == 0 && number.sign == .minus: (realKey, .string(negativeZero))
        case .date(let date) where date.nanoseconds != 0 || !DateCoding.plainSeconds.contains(date.seconds):
            (dateKey, .array([.integer(date.seconds), .integer(Int64(date.nanoseconds))]))
        default: nil
        }
    }

    /// A function that decodes a text in a dictionary, or returns the result of an earlier call for the same text.
    ///
    /// Its arguments are the index of the text among the keys and the values of the dictionary, and a closure that
    /// decodes the text.
    typealias TextDecoding = (_ index: Int, _ decode: () -> String?) -> String?

    /// Decodes the value that a dictionary at an offset of the file represents.
    static func value(
        of entries: [(String, Value)], at offset: Int, _ decodedText: TextDecoding = { $1() }
    ) throws(PropertyListError) -> Value {
        guard entries.count == 1, entries[0].0.utf8.first == UInt8(ascii: "$") else {
            return .record(try record(of: entries, at: offset, decodedText))
        }
        switch entries[0] {
        case (stringKey, .data(let bytes)):
            guard let text = decodedText(1, { String(validating: bytes, as: UTF8.self) }) else {
                throw PropertyListError("\(stringKey) is not UTF-8", at: offset)
            }
            return .string(text)
        case (realKey, .string(negativeZero)): return .real(-0.0)
        case (dateKey, .array(let parts)):
            guard parts.count == 2, case .integer(let seconds) = parts[0], case .integer(let part) = parts[1],
                let nanoseconds = UInt32(exactly: part),
                let date = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
            else { throw PropertyListError("\(dateKey) is not seconds and nanoseconds", at: offset) }
            return .date(date)
        case (stringKey, _), (realKey, _), (dateKey, _):
            throw PropertyListError("the value of \(entries[0].0) is invalid", at: offset)
        default: return .record(try record(of: entries, at: offset, decodedText))
        }
    }

    /// Decodes the record that a dictionary at an offset of the file represents.
    static func record(
        of entries: [(String, Value)], at offset: Int, _ decodedText: TextDecoding = { $1() }
    ) throws(PropertyListError) -> Record {
        var fields = entries
        // A key that does not begin with `$` is the name itself. `Record` rejects an empty name.
        for index in fields.indices where fields[index].0.utf8.first == UInt8(ascii: "$") {
            let key = fields[index].0
            guard let name = decodedText(index, { NameCoding.name(of: key) }) else {
                let reason = "the key \"\(key.escapedForMessage)\" is not a valid name"
                throw PropertyListError(reason, at: offset)
            }
            fields[index].0 = name
        }
        do {
            return try Record(fields)
        } catch {
            throw PropertyListError(error.reason, at: offset)
        }
    }
}
