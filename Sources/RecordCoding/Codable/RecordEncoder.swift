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
    package func encode(_ value: some Encodable) throws -> Record { try encode(value, replacing: nil).record() }

    /// Encodes a value as a record, and adds the fields of the replaced record that are not coding keys of the value's
    /// type. The encoded fields can have other names, too, e.g. `super` for a superclass.
    ///
    /// - Throws: `FieldError`, or `DataStoreError` if the replaced record cannot be read.
    func encode(_ value: some Encodable, replacing old: EncodedRecord?) throws -> EncodedRecord {
        let run = CodingSession(userInfo: userInfo)
        let part = try part(of: value, in: run)
        guard case .node(let number) = part, run.nodes[number].isKeyed else {
            let record: Record = [CodedName.value: try self.value(of: part, in: run)]
            // The encoder has counted one level less.
            try record.validate()
            return EncodedRecord(record)
        }
        if let old { try run.nodes[number].keepFields(of: old, in: run) }
        let encoded = run.encoded
        return EncodedRecord(maximumByteCount: run.maximumByteCount) { part.write(run, encoded.span, to: &$0) }
    }

    /// Encodes a value as the value of a field.
    func encodeValue(_ value: some Encodable) throws(FieldError) -> Value {
        if let value = StoredForms.value(of: value) { return value }
        let run = CodingSession(userInfo: userInfo)
        let part = try part(of: value, in: run)
        do {
            return try self.value(of: part, in: run)
        } catch {
            throw run.fieldError(error)
        }
    }

    private func value(of part: EncodedNode.Part, in run: CodingSession) throws(DataStoreError) -> Value {
        let encoded = run.encoded
        var cbor: [UInt8] = []
        cbor.append(addingCapacity: run.maximumByteCount) { part.write(run, encoded.span, to: &$0) }
        return try Value(cbor: cbor.span)
    }

    private func part(of value: some Encodable, in run: CodingSession) throws(FieldError) -> EncodedNode.Part {
        run.reserveCapacity()
        do {
            if let value = run.encode(storedFormOf: value) { return .value(value) }
            return try ValueEncoder(run: run).coded(value)
        } catch {
            throw run.fieldError(error)
        }
    }
}
