import DataStoreCore

/// What a property list cannot hold exactly, as a dictionary of one entry: `{$string: data}` for text with control
/// characters, `{$date: [seconds, nanoseconds]}` for dates with a fraction or far away, `{$real: "-0.0"}`.
enum PlistCoder {
    /// Why an object is no value of ours.
    struct Failure: Error { let reason: String }

    static let stringKey = "$string"
    static let dateKey = "$date"
    static let realKey = "$real"
    static let negativeZero = "-0.0"

    /// How deep a file may nest what is read as one record: a date that is wrapped adds two levels.
    static let maximumDepth = Record.maximumDepth + 2

    /// Whether a date is one of a property list: in whole seconds, in the years that XML can write.
    static func isPlain(_ date: Timestamp) -> Bool {
        date.nanoseconds == 0 && PlistDate.plainSeconds.contains(date.seconds)
    }

    /// The value of a dictionary within a record.
    static func value(of entries: [(key: String, value: Value)]) throws(Failure) -> Value {
        guard entries.count == 1, entries[0].key.utf8.first == UInt8(ascii: "$") else {
            return .record(try record(of: entries))
        }
        switch (entries[0].key, entries[0].value) {
        case (stringKey, .data(let bytes)):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure(reason: "\(stringKey) is not UTF-8")
            }
            return .string(text)
        case (realKey, .string(negativeZero)): return .real(-0.0)
        case (dateKey, .array(let parts)):
            guard parts.count == 2, case .integer(let seconds) = parts[0], case .integer(let part) = parts[1],
                let nanoseconds = UInt32(exactly: part),
                let date = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
            else { throw Failure(reason: "\(dateKey) is not seconds and nanoseconds") }
            return .date(date)
        case (stringKey, _), (realKey, _), (dateKey, _):
            throw Failure(reason: "\(entries[0].key) is of the wrong kind")
        default: return .record(try record(of: entries))
        }
    }

    /// The fields of a dictionary.
    static func record(of entries: [(key: String, value: Value)]) throws(Failure) -> Record {
        var namedValues: [(String, Value)] = []
        namedValues.reserveCapacity(entries.count)
        for (key, value) in entries {
            guard let name = PlistName.decoded(key) else {
                throw Failure(reason: "the key \"\(key.escapingControlCharacters)\" is no name")
            }
            namedValues.append((name, value))
        }
        do {
            return try Record(namedValues)
        } catch {
            throw Failure(reason: error.reason)
        }
    }
}
