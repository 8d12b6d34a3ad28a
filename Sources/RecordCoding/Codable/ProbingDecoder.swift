import DataStoreCore
import DataStoreQueries

/// A decoder that returns placeholder values. It records in a ``ProbedNode`` which keys and types are decoded.
struct ProbingDecoder: Decoder {
    /// An error that stops decoding if a type rejects all placeholders, or reads beyond the end of an array.
    struct NoPlaceholder: Error {}

    let node: ProbedNode
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { node.budget.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        node.noteKeys(type)
        return KeyedDecodingContainer(KeyedProbe<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        node.noteArray()
        return UnkeyedProbe(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Decodes a placeholder, and passes the structure of the decoded type to `note`.
    func content<Content: Decodable>(
        _ type: Content.Type, at path: QueryField?, _ note: (FieldTree) -> Void
    ) throws -> Content {
        guard let content = optionalContent(type, at: path, note) else { throw NoPlaceholder() }
        return content
    }

    func optionalContent<Content: Decodable>(
        _ type: Content.Type, at path: QueryField?, _ note: (FieldTree) -> Void
    ) -> Content? {
        let (tree, content) = FieldProbe.probe(type, level: node.level + 1, at: path, node.budget)
        note(tree)
        return content
    }
}

extension ProbingDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { false }

    func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        if type == String.self || type is any PlainValue.Type, node.round > 0 {
            node.noteValue(FieldProbe.probe(type, level: node.level + 1, at: node.path, node.budget).tree)
            if let text = FieldProbe.texts[node.round] as? Content { return text }
            let number = Value.integer(node.round == 1 ? 0 : Int64(node.round))
            if let plain = type as? any PlainValue.Type, let content = plain.init(plainValue: number) as? Content {
                return content
            }
        }
        return try content(type, at: node.path, node.noteValue)
    }

    // Without this overload, the compiler would choose the standard library's default for `Int128`, which throws.
    func decode(_ type: Int128.Type) throws -> Int128 { try content(type, at: node.path, node.noteValue) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try content(type, at: node.path, node.noteValue) }
}

/// A keyed container of placeholders. It records the decoded keys.
private struct KeyedProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbingDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }
    func contains(_ key: Key) -> Bool { decoder.node.canContinue }
    func decodeNil(forKey key: Key) -> Bool { !decoder.node.canContinue }

    func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
        try decoder.content(type, at: decoder.node.path(of: key)) { decoder.node.note($0, for: key) }
    }

    func decodeIfPresent<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content? {
        decoder.optionalContent(type, at: decoder.node.path(of: key)) { decoder.node.note($0, for: key) }
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try decoder.content(type, at: decoder.node.path(of: key)) { decoder.node.note($0, for: key) }
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try decoder.content(type, at: decoder.node.path(of: key)) { decoder.node.note($0, for: key) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { nested(key).unkeyedContainer() }

    func superDecoder() -> any Decoder { nested(PathKey.super) }

    func superDecoder(forKey key: Key) -> any Decoder { nested(key) }

    private func nested(_ key: any CodingKey) -> ProbingDecoder { ProbingDecoder(node: decoder.node.nested(key)) }
}

/// An unkeyed container with one placeholder element. It records the type of the element.
private struct UnkeyedProbe: UnkeyedDecodingContainer {
    let decoder: ProbingDecoder
    var currentIndex = 0

    init(decoder: ProbingDecoder) { self.decoder = decoder }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { decoder.node.isEmpty ? 0 : 1 }
    var isAtEnd: Bool { decoder.node.isEmpty || currentIndex > 0 }

    func decodeNil() -> Bool { false }

    mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        guard !isAtEnd else { throw ProbingDecoder.NoPlaceholder() }
        currentIndex += 1
        return try decoder.content(type, at: decoder.node.path?.elements, decoder.node.noteElement)
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        guard !isAtEnd else { throw ProbingDecoder.NoPlaceholder() }
        currentIndex += 1
        return try decoder.content(type, at: decoder.node.path?.elements, decoder.node.noteElement)
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        guard !isAtEnd else { throw ProbingDecoder.NoPlaceholder() }
        currentIndex += 1
        return try decoder.content(type, at: decoder.node.path?.elements, decoder.node.noteElement)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { nested().unkeyedContainer() }

    mutating func superDecoder() -> any Decoder { nested() }

    private mutating func nested() -> ProbingDecoder {
        currentIndex += 1
        return ProbingDecoder(node: decoder.node.nested(nil))
    }
}
