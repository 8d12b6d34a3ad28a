import DataStoreCore

/// A keyed decoding container over the fields of a record.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: Record
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { record.compactMap { CodedName.key(of: $0.name).flatMap(Key.init(stringValue:)) } }

    func contains(_ key: Key) -> Bool { record[CodedName.field(of: key)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

    // The other `decode` functions of the container call this one.
    func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
        try decoder.content(type, of: try value(key), at: CodedPath(key, in: decoder.path))
    }

    func decodeIfPresent<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content? {
        guard let value = record[CodedName.field(of: key)], !value.isNull else { return nil }
        return try decoder.content(type, of: value, at: CodedPath(key, in: decoder.path))
    }

    // Without this overload, the compiler would choose the standard library's default for `Int128`, which throws.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try decoder.content(type, of: try value(key), at: CodedPath(key, in: decoder.path))
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try decoder.content(type, of: try value(key), at: CodedPath(key, in: decoder.path))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.nested(try value(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.nested(try value(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        try decoder.nested(record[PathKey.super.stringValue] ?? .null, PathKey.super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decoder.nested(record[CodedName.field(of: key)] ?? .null, key)
    }

    private func value(_ key: Key) throws -> Value {
        guard let value = record[CodedName.field(of: key)] else {
            throw DecodingError.keyNotFound(key, decoder.context(decoder.path, "the record has no such field"))
        }
        return value
    }
}

/// An unkeyed decoding container over the elements of an array.
struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    let elements: [Value]
    let decoder: ValueDecoder
    private(set) var currentIndex = 0

    init(elements: [Value], decoder: ValueDecoder) {
        self.elements = elements
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next(Any?.self).isNull else { return false }
        currentIndex += 1
        return true
    }

    // The other `decode` functions of the container call this one.
    mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        let content = try decoder.content(type, of: try next(type), at: path)
        currentIndex += 1
        return content
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        let content = try decoder.content(type, of: try next(type), at: path)
        currentIndex += 1
        return content
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        let content = try decoder.content(type, of: try next(type), at: path)
        currentIndex += 1
        return content
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try decoder.nested(try next(Record.self), PathKey(index: currentIndex)).container(
            keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder.nested(try next([Value].self), PathKey(index: currentIndex)).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder.nested(try next(Value.self), PathKey(index: currentIndex))
        currentIndex += 1
        return decoder
    }

    private var path: CodedPath { CodedPath(PathKey(index: currentIndex), in: decoder.path) }

    private func next<Content>(_ type: Content.Type) throws -> Value {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, decoder.context(path, "the array has \(elements.count) elements"))
        }
        return elements[currentIndex]
    }
}
