import DataStoreCore

/// Ids of Codable entities as texts of keys: a string as it is, an integer as its digits.
enum CodedID {
    /// The text of an id.
    ///
    /// - Parameter id: the id.
    /// - Returns: the text.
    /// - Throws: ``FieldError`` where the id's Codable form is neither a string nor an integer.
    static func text(of id: some Encodable) throws(FieldError) -> String {
        if let text = id as? String { return text }
        switch try RecordEncoder().encodeValue(id) {
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        case let value:
            throw FieldError(
                "id",
                "is a \(type(of: id)), which is encoded as a \(value.kind): a key needs a single string or integer; "
                    + "encode it so, e.g. as RawRepresentable, or write a RecordMapping")
        }
    }

    /// The id of a text.
    ///
    /// - Parameters:
    ///   - text: the text of a key.
    ///   - type: the id's type.
    /// - Returns: the id, whose text this is.
    /// - Throws: ``FieldError`` where there is none.
    static func id<ID: Codable>(of text: String, as type: ID.Type) throws(FieldError) -> ID {
        if let id = text as? ID { return id }
        let id = try decoded(text, as: type)
        let own = try self.text(of: id)
        guard own.hasSameBytes(as: text) else {
            throw FieldError("id", "is kept as \(own.escapingControlCharacters), not as the key has it")
        }
        return id
    }

    private static func decoded<ID: Decodable>(_ text: String, as type: ID.Type) throws(FieldError) -> ID {
        let decoder = RecordDecoder()
        if let number = Int64(text), "\(number)" == text {
            do throws(FieldError) {
                return try decoder.decode(type, of: .integer(number))
            } catch {
                // Then it is the digits of a string; what is wrong with that is said below.
            }
        }
        do throws(FieldError) {
            return try decoder.decode(type, of: .string(text))
        } catch {
            throw FieldError("id", "is no \(type): the key has \(text.escapingControlCharacters)", underlying: error)
        }
    }
}
