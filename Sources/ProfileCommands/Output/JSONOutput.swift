/// The members of a JSON object in the output of a command. A member without a value is omitted.
typealias JSONObject = [String: (any JSONConvertible)?]

/// A value in the JSON output of a command.
protocol JSONConvertible {
    /// The value as `RecordJSON` writes it.
    var json: Value { get }
}

extension Value: JSONConvertible { var json: Value { self } }
extension Bool: JSONConvertible { var json: Value { .bool(self) } }
extension String: JSONConvertible { var json: Value { .string(self) } }
extension Int: JSONConvertible {}
extension Int64: JSONConvertible {}
extension UInt64: JSONConvertible {}

extension JSONConvertible where Self: BinaryInteger { var json: Value { .integer(Int64(clamping: self)) } }

extension Array: JSONConvertible where Element: JSONConvertible { var json: Value { .array(map(\.json)) } }

extension Dictionary: JSONConvertible where Key == String, Value == (any JSONConvertible)? {
    var json: DataStoreCore.Value {
        var record = Record()
        for (name, value) in self { record[name] = value?.json }
        return .record(record)
    }
}
