/// A converter between ids of Codable entities and the texts of record keys. A string is stored as itself, and an
/// integer as its decimal digits.
enum CodedID {
    /// Encodes an id as the text of a record's key.
    ///
    /// - Throws: `FieldError` if the id encodes neither as a string nor as an integer.
    static func text(of id: some Encodable) throws(FieldError) -> String {
        let value = try RecordEncoder().encodeValue(id)
        if let text = text(of: value) { return text }
        let remedy =
            id is any RawRepresentable
            ? "use a raw value of the type String, UUID or Int" : "make it RawRepresentable with such a raw value"
        throw FieldError(
            "id",
            "is a \(type(of: id)) and is encoded as a \(value.kind), but a key needs a single string or integer; "
                + "\(remedy), or write a RecordMapping")
    }

    /// Returns the text of the key whose id has a stored value, or `nil` if the value is neither a string nor an
    /// integer.
    static func text(of value: Value) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        default: nil
        }
    }

    /// Returns whether the encoded value at a position is stored under a key with the given text.
    static func has(_ position: Int, in record: EncodedRecord, text: Span<UInt8>) throws(DataStoreError) -> Bool {
        var next = position
        if let isEqual = try record.withText(at: &next, { $0.hasSameBytes(as: text) }) { return isEqual }
        guard case .integer(let number) = try record.value(at: position) else { return false }
        return "\(number)".withBytes { $0.hasSameBytes(as: text) }
    }

    /// Decodes an id from the text of a record's key.
    ///
    /// - Throws: `FieldError` if no id of the type has exactly this text.
    static func id<ID: Codable>(of text: String, as type: ID.Type) throws(FieldError) -> ID {
        if let id = text as? ID { return id }
        let id = try decoded(text, as: type)
        let own = try self.text(of: id)
        guard own.hasSameBytes(as: text) else {
            throw FieldError("id", "is stored as \(own.escapingControlCharacters) and differs from the key")
        }
        return id
    }

    private static func decoded<ID: Decodable>(_ text: String, as type: ID.Type) throws(FieldError) -> ID {
        let decoder = RecordDecoder()
        if let number = Int64(text), "\(number)" == text {
            do throws(FieldError) {
                return try decoder.decode(type, of: .integer(number))
            } catch {
                // The type may be encoded as a string of digits. If it is not, the error below is thrown.
            }
        }
        do throws(FieldError) {
            return try decoder.decode(type, of: .string(text))
        } catch {
            throw FieldError(
                "id", "is not of type \(type): the key has \(text.escapingControlCharacters)", underlying: error)
        }
    }
}
