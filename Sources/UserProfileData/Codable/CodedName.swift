/// Names of a Codable type as names of a record's fields.
///
/// A record has no empty names, and those that begin with `$` and a letter are the bridge's own: so an empty name is `$`, and
/// one that begins with `$` has another one put before it.
enum CodedName {
    /// The field of a top-level value that has no fields of its own.
    static let value = "$value"

    /// The only field of a record that stands for nil, where leaving a field out cannot say so: in arrays and dictionaries.
    static let null = "$null"

    /// The name of the field that a key is kept under.
    static func field(of key: any CodingKey) -> String {
        let name = key.stringValue
        return name.isEmpty || name.utf8.first == UInt8(ascii: "$") ? "$\(name)" : name
    }

    /// The key's name that a field is kept for; nil for the bridge's own fields.
    static func key(of field: String) -> String? {
        guard field.utf8.first == UInt8(ascii: "$") else { return field }
        let name = field.dropFirst()
        return name.isEmpty || name.utf8.first == UInt8(ascii: "$") ? String(name) : nil
    }
}
