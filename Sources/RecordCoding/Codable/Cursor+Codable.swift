import RecordFraming

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Query.Cursor where Entity.ID: Codable {
    /// The position as opaque text of ASCII letters, digits, `-` and `_`. For example, a server sends the text to a
    /// client and receives it with the request for the next page.
    ///
    /// Reading this property throws an error if the id is encoded neither as a string nor as an integer.
    public var text: String {
        get throws {
            let values = values.map { $0.map(Value.init) ?? .null }
            let record: Record = ["id": .string(try CodedID.text(of: id)), "values": .array(values)]
            return record.cursorText
        }
    }

    /// Creates the position from its ``text``.
    ///
    /// - Parameter text: The ``text`` of a cursor, from this or another process. Use the cursor only in a query with
    ///   the sorts of the original query.
    /// - Throws: `ValidationError` if the text is not the text of a cursor, or its id is not an id of the entity type.
    public init(_ text: String) throws(ValidationError) {
        func failure(_ rule: String) -> ValidationError {
            ValidationError(ValidationError.Subject("a cursor"), given: text, rule: "\(rule); start at the first page")
        }
        // Ids and sort values are short in practice. The limit bounds the use of memory.
        guard text.utf8.count <= 1 << 20 else { throw failure("it is too long") }
        let record: Record?
        do {
            record = try Record(cursorText: text)
        } catch {
            record = nil
        }
        guard let record, let id = record["id"]?.string, let values = record["values"]?.array,
            values.allSatisfy({ $0 == .null || $0.operand != nil })
        else { throw failure("it is modified or incomplete") }
        do {
            self.init(values: values.map(\.operand), id: try CodedID.id(of: id, as: Entity.ID.self))
        } catch {
            throw failure("it belongs to another query")
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

extension Record {
    /// The frame of the record as base64url without padding (RFC 4648, section 5).
    fileprivate var cursorText: String {
        let frame = RecordFrame.with(self, key: Span()) { frame in Data(frame.indices.map { frame[$0] }) }
        return frame.base64EncodedString().filter { $0 != "=" }.exchanging("+/", with: "-_")
    }

    /// Creates the record from its ``cursorText``. Returns `nil` if no record has exactly this text.
    ///
    /// - Throws: `DataStoreError` if the bytes of the text are not a frame.
    fileprivate init?(cursorText text: String) throws(DataStoreError) {
        let padding = String(repeating: "=", count: -text.utf8.count & 3)
        guard let frame = Data(base64Encoded: text.exchanging("-_", with: "+/") + padding) else { return nil }
        self = try RecordFrame.record(in: Array(frame).span, key: Span())
        guard cursorText == text else { return nil }
    }
}

extension String {
    /// Returns the text with each of some characters replaced by the one at the same place of another text.
    fileprivate func exchanging(_ characters: String, with others: String) -> String {
        let pairs = Dictionary(uniqueKeysWithValues: zip(characters, others))
        return String(map { pairs[$0] ?? $0 })
    }
}
