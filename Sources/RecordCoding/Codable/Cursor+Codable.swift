public import UserProfileDomain

extension Query.Cursor where Entity.ID: Codable {
    /// The position as opaque text of ASCII letters and digits. For example, a server sends the text to a client and
    /// receives it with the request for the next page.
    ///
    /// Reading this property throws an error if the id is encoded neither as a string nor as an integer.
    public var text: String {
        get throws {
            var bytes: [UInt8] = []
            bytes.append(count: values.count)
            for value in values { bytes.append(value) }
            bytes.append(try CodedID.text(of: id))
            bytes.append(number: CursorText.checksum(bytes), byteCount: 4)
            return CursorText.text(of: bytes)
        }
    }

    /// Creates the position from its ``text``.
    ///
    /// - Parameter text: The ``text`` of a cursor, from this or another process. Use the cursor only in a query with
    ///   the sorts of the original query.
    /// - Throws: `ValidationError` if the text is not the text of a cursor, or its id is not an id of the entity type.
    public init(_ text: String) throws(ValidationError) {
        var reader = try CursorText(text)
        var values: [Operand?] = []
        for _ in 0..<(try reader.count()) { values.append(try reader.operand()) }
        let idText = try reader.string()
        try reader.expectEnd()
        do {
            self.init(values: values, id: try CodedID.id(of: idText, as: Entity.ID.self))
        } catch {
            throw reader.error("it belongs to another query")
        }
    }
}

/// A cursor is encoded as a single string, which is opaque.
extension Query.Cursor: Codable where Entity.ID: Codable {
    /// Decodes the text of a cursor.
    public init(from decoder: any Decoder) throws { try self.init(String(from: decoder)) }

    /// Encodes the text of the cursor.
    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
