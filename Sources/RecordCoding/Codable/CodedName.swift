/// A converter between coding keys and the names of a record's fields.
///
/// A field must have a name, and names that consist of `$` and a letter are reserved for this module. The empty key is
/// therefore stored as `$`, and a key that begins with `$` is stored with another `$` before it.
enum CodedName {
    /// The name of the field that contains a value without fields, e.g. an entity that encodes as a string. The record
    /// has no other field.
    static let value = "$value"

    /// The name of the field that stands for `nil` in an array or a dictionary. The record has no other field.
    static let null = "$null"

    /// Returns the name of the field in which the value of a coding key is stored.
    static func field(of key: any CodingKey) -> String {
        let name = key.stringValue
        return name.isEmpty || name.utf8.first == UInt8(ascii: "$") ? "$\(name)" : name
    }

    /// Returns the name of the coding key that is stored in a field, or `nil` if the field name is reserved.
    static func key(of field: String) -> String? {
        guard field.utf8.first == UInt8(ascii: "$") else { return field }
        let name = field.dropFirst()
        return name.isEmpty || name.utf8.first == UInt8(ascii: "$") ? String(name) : nil
    }
}
