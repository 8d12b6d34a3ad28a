package import DataStoreCore
package import UserProfileData

/// An encoder that creates records from `Encodable` values. A ``RecordDecoder`` decodes them.
///
/// <doc:RecordCoding> lists the stored form of each type.
package struct RecordEncoder: Sendable {
    /// The `userInfo` of the encoder that `encode(to:)` of a type receives.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder.
    package init() {}

    /// Encodes a value as a record.
    ///
    /// - Parameter value: The value to encode.
    /// - Returns: The record, from which a ``RecordDecoder`` decodes an equal value.
    /// - Throws: `FieldError` with the path of the invalid field. Its underlying error is the `EncodingError`, or the
    ///   error that `encode(to:)` threw.
    package func encode(_ value: some Encodable) throws(FieldError) -> Record {
        try encode(value, replacing: nil)
    }

    /// Encodes a value as a record, and adds the fields of the replaced record that are not coding keys of the value's
    /// type. The encoded fields can have other names, too, e.g. `super` for a superclass.
    func encode(_ value: some Encodable, replacing old: Record?) throws(FieldError) -> Record {
        let node = try node(of: value)
        guard node.isKeyed, case .record(var record) = node.finished() else {
            return [CodedName.value: node.finished()]
        }
        for field in old ?? Record() where record[field.name] == nil && !node.knows(field: field.name) {
            record[field.name] = field.value
        }
        return record
    }

    /// Encodes a value as the value of a field.
    func encodeValue(_ value: some Encodable) throws(FieldError) -> Value {
        if let value = StoredForms.value(of: value) { return value }
        return try node(of: value).finished()
    }

    private func node(of value: some Encodable) throws(FieldError) -> EncodedNode {
        let run = CodingSession(userInfo: userInfo)
        let node = EncodedNode(depth: 0)
        do {
            _ = node.become(try ValueEncoder(node, run: run).part(of: value, depth: 0))
        } catch {
            throw run.fieldError(error)
        }
        return node
    }
}
