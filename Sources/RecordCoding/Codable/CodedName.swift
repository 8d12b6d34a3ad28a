/// A converter between coding keys and the names of a record's fields.
///
/// The name of a field cannot be empty, and this module reserves the names `$value` and `$null`. The empty key is
/// therefore stored as `$`, and a key that begins with `$` is stored with another `$` before it.
enum CodedName {
    /// The name of the only field in the record of an entity that encodes as a single value, e.g. as a string.
    static let value = "$value"

    /// The name of the only field in a record that represents `nil` in an array or a dictionary.
    static let null = "$null"

    /// The name of the only coding key of a `RawRepresentable` type whose `Codable` conformance is synthesized. Such a
    /// type is stored as its raw value.
    static let rawValue = "rawValue"

    /// Returns the name of the field in which the value of a coding key is stored.
    static func field(of key: some CodingKey) -> String {
        let name = key.stringValue
        return name.withBytes(isPlain) ? name : "$\(name)"
    }

    /// Returns whether a coding key is stored under its own name.
    @inline(__always)
    static func isPlain(_ name: Span<UInt8>) -> Bool { !name.isEmpty && name[0] != UInt8(ascii: "$") }

    /// Returns the name of the coding key whose value is stored in a field. Returns `nil` if the name of the field is
    /// reserved.
    static func key(of field: String) -> String? {
        guard field.utf8.first == UInt8(ascii: "$") else { return field }
        let name = field.dropFirst()
        return name.isEmpty || name.utf8.first == UInt8(ascii: "$") ? String(name) : nil
    }
}
