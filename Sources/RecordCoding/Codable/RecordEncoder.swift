public import DataStoreCore
public import UserProfileData

/// Encodes `Encodable` values as records.
///
/// | in Swift | in the record |
/// | --- | --- |
/// | `String`, `Bool`, `Double`, `Float` | string, bool, real |
/// | integers | integer; beyond `Int64` a string of its digits |
/// | `Date`, `Instant` | date |
/// | `Data`, `[UInt8]` | data |
/// | `Decimal` | a string of its digits |
/// | `URL`, `UUID` | string |
/// | structs, classes, enums with associated values | a record of their encoded fields |
/// | arrays, sets, dictionaries whose keys are neither `String` nor `Int` | array |
/// | dictionaries with keys of `String` or `Int` | record |
/// | `nil` as a property | no field |
/// | `nil` in an array or a dictionary | a record `{$null: true}` |
///
/// Other types are stored in their Codable form, and so are a `Date` finer than a nanosecond, a `Decimal` that is not a
/// number, and a `URL` with a base. A type that conforms to ``RecordValueConvertible`` chooses its own kind of value.
///
/// An empty key is stored as `$`, and a key that begins with `$` gets another `$` as a prefix. A value without fields is a
/// record with the single field `$value`.
package struct RecordEncoder: Sendable {
    /// The values that a type's `encode(to:)` finds in the encoder's `userInfo`.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder.
    package init() {}

    /// Encodes a value as a record.
    ///
    /// - Parameter value: The value.
    /// - Returns: The record, from which ``RecordDecoder`` decodes an equal value.
    /// - Throws: `FieldError` with the coding path of the field. Its underlying error is the `EncodingError`, or the error
    ///   of the type's own `encode(to:)`.
    package func encode(_ value: some Encodable) throws(FieldError) -> Record {
        try encode(value, replacing: nil)
    }

    /// Encodes a value as a record, and adds the fields of an older record for which the value's type has no key.
    func encode(_ value: some Encodable, replacing old: Record?) throws(FieldError) -> Record {
        let node = try node(of: value)
        guard node.isKeyed, case .record(var record) = node.finished() else {
            return [CodedName.value: node.finished()]
        }
        for field in old ?? Record() where !node.knows(field: field.name) { record[field.name] = field.value }
        return record
    }

    /// Encodes a value as the value of a field.
    func encodeValue(_ value: some Encodable) throws(FieldError) -> Value { try node(of: value).finished() }

    private func node(of value: some Encodable) throws(FieldError) -> EncodedNode {
        let run = CodingRun(userInfo: userInfo)
        let node = EncodedNode(depth: 0)
        do {
            let encoder = ValueEncoder(node: node, run: run, path: nil, level: 0)
            _ = node.become(try encoder.part(of: value, at: nil, depth: 0))
        } catch {
            throw run.fieldError(error)
        }
        return node
    }
}
