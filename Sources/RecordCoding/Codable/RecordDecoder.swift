/// A decoder that creates `Decodable` values from records, which a ``RecordEncoder`` or a person has written.
///
/// The decoder does not convert values of one kind to another, e.g. a string of digits to a number. There are three
/// exceptions: an integer is decoded as a real if the type requires one, a real is rounded to a `Float`, and an integer
/// beyond `Int64` is decoded from the string in which it is stored.
package struct RecordDecoder: Sendable {
    /// The `userInfo` of the decoder that `init(from:)` of a type receives.
    package var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder.
    package init() {}

    /// Decodes a value from an encoded record.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - record: The record. Fields that are not coding keys of the type are ignored.
    /// - Returns: The decoded value.
    /// - Throws: `FieldError` with the path of the invalid field, e.g. `address.lines[2]`. Its underlying error is the
    ///   `DecodingError`, or the error that `init(from:)` threw. `DataStoreError` if the bytes are not a record.
    func decode<Content: Decodable>(_ type: Content.Type, from record: EncodedRecord) throws -> Content {
        // An entity that encodes as a single value has one field.
        let position = record.position(of: FieldName(CodedName.value), in: try record.fields()) ?? 0
        var decoder = decoder(at: position, in: record, of: type)
        defer { record.forget(after: 0) }
        do {
            let content = try StoredForms.of(type) == nil ? decoder.coded(type) : decoder.content(type, at: position)
            // The bytes of the record may become invalid when this function returns.
            guard isKnownUniquelyReferenced(&decoder) else { throw decoder.isKept }
            if userInfo.isEmpty { record.keep(decoder) }
            return content
        } catch let error as DataStoreError where [.corrupted, .missingSealingKey].contains(error.code) {
            throw error
        } catch {
            throw decoder.run.fieldError(error)
        }
    }

    /// Returns a decoder of an encoded record. It is the one of the record before, if that had the same type.
    private func decoder(at position: Int, in record: EncodedRecord, of type: any Any.Type) -> ValueDecoder {
        if userInfo.isEmpty, let decoder = record.takeDecoder() as? ValueDecoder, decoder.begin(position, type) {
            return decoder
        }
        return ValueDecoder(position, in: record, type: type, run: CodingSession(userInfo: userInfo))
    }

    /// Decodes a value from a record that is not encoded. It is encoded first, so there is only one decoder.
    package func decode<Content: Decodable>(
        _ type: Content.Type = Content.self, from record: Record
    ) throws(FieldError) -> Content {
        do {
            return try decode(type, from: EncodedRecord(record))
        } catch let error as FieldError {
            throw error
        } catch {
            throw FieldError("", "is rejected: \(error)", underlying: error)
        }
    }

    /// Decodes an instance of a type from the stored value of a field.
    func decode<Content: Decodable>(
        _ type: Content.Type = Content.self, of value: Value
    ) throws(FieldError) -> Content {
        try decode(type, from: Record(ordered: [Record.Field(name: CodedName.value, value: value)]))
    }
}
