/// Converts coding keys to names of a record's fields and back.
///
/// A record has no empty names, and names of `$` and a letter are reserved for this module. An empty key is therefore
/// stored as `$`, and a key that begins with `$` gets another `$` as a prefix.
enum CodedName {
    /// The name of the only field of a record that stands for a value without fields.
    static let value = "$value"

    /// The name of the only field of a record that stands for `nil` in an array or a dictionary.
    static let null = "$null"

    /// Returns the name of the field for a key.
    static func field(of key: any CodingKey) -> String {
        let name = key.stringValue
        return name.isEmpty || name.utf8.first == UInt8(ascii: "$") ? "$\(name)" : name
    }

    /// Returns the name of the key for a field, or `nil` if the name is reserved.
    static func key(of field: String) -> String? {
        guard field.utf8.first == UInt8(ascii: "$") else { return field }
        let name = field.dropFirst()
        return name.isEmpty || name.utf8.first == UInt8(ascii: "$") ? String(name) : nil
    }
}
