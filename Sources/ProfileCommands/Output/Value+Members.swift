import DataStoreCore

extension Value {
    /// Returns a JSON object with the given members. A member without a value is omitted.
    static func object(_ members: [String: Value?]) -> Value {
        var record = Record()
        for (name, value) in members { record[name] = value }
        return .record(record)
    }

    static func count(_ number: Int) -> Value { .integer(Int64(number)) }
}
