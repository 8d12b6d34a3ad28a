import Foundation

/// A decoder that returns constants. Decoding with it takes the time that `Codable` itself needs: `init(from:)` of the
/// types, and the containers of the standard library. No store can decode a `Codable` type in less time.
struct ConstantDecoder: Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Decodes a value. It is not inlined, because no store knows the types of an embedding program.
    @inline(never)
    func decoded<Content: Decodable>(_ type: Content.Type) throws -> Content { try Content(from: self) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Fields())
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Failure("an array has no constant") }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }
    func decode(_ type: String.Type) -> String { "done" }
    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content { try Content(from: self) }

    /// The fields of any record.
    private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode(_ type: String.Type, forKey key: Key) -> String { "a text" }
        func decode(_ type: Int.Type, forKey key: Key) -> Int { 1 }
        func decode(_ type: Double.Type, forKey key: Key) -> Double { 0.5 }

        func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
            // Both types are the same.
            if type == UUID.self { return unsafe unsafeBitCast(ConstantDecoder.id, to: type) }
            if type == Date.self { return unsafe unsafeBitCast(Date(timeIntervalSince1970: 0), to: type) }
            if type == [String].self { return unsafe unsafeBitCast(["a", "b"], to: type) }
            return try ConstantDecoder().decoded(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Nested> { ConstantDecoder().container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try ConstantDecoder().unkeyedContainer()
        }

        func superDecoder() -> any Decoder { ConstantDecoder() }
        func superDecoder(forKey key: Key) -> any Decoder { ConstantDecoder() }
    }

    private static let id = UUID()
}
