public import DataStoreCore

/// Makes records of `Encodable` values.
///
/// | in Swift | in the record |
/// | --- | --- |
/// | `String`, `Bool`, `Double`, `Float` | string, bool, real |
/// | integers | integer; beyond `Int64` a string of its digits |
/// | `Date`, `Instant` | date |
/// | `Data`, `[UInt8]` | data |
/// | structs, classes, enums with associated values | a record of their coded fields |
/// | arrays, sets, dictionaries whose keys are neither `String` nor `Int` | array |
/// | dictionaries with keys of `String` or `Int` | record |
/// | nil as a property | no field |
/// | nil in an array or a dictionary | a record `{$null: true}` |
///
/// `Date` and `Data` are kept so where `UserProfileFoundation` is in the program; ``RecordValueConvertible`` is how other types
/// choose the kind of value they are kept as. An empty name is kept as `$`, and a name that begins with `$` has another one
/// put before it. A value without fields of its own is a record of the one field `$value`.
public struct RecordEncoder: Sendable {
    /// What a type's `encode(to:)` may ask for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes an encoder.
    public init() {}

    /// Makes a record of a value.
    ///
    /// - Parameter value: the value.
    /// - Returns: the record, from which ``RecordDecoder`` makes an equal value.
    /// - Throws: ``FieldError``, which names the field by its coding path and has the `EncodingError` as its cause.
    public func encode(_ value: some Encodable) throws(FieldError) -> Record {
        try encode(value, replacing: nil)
    }

    /// Makes a record of a value, with those fields of an older record that the value's type has no key for.
    func encode(_ value: some Encodable, replacing old: Record?) throws(FieldError) -> Record {
        let node = try node(of: value)
        guard node.isKeyed, case .record(var record) = node.finished() else {
            return [CodedName.value: node.finished()]
        }
        for field in old ?? Record() where !node.knows(field: field.name) { record[field.name] = field.value }
        return record
    }

    /// Makes a value of a record's kinds of a value.
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
