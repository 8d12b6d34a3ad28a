import DataStoreCore

/// A keyed decoding container over the fields of a record.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: Record
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { record.compactMap { CodedName.key(of: $0.name).flatMap(Key.init(stringValue:)) } }

    func contains(_ key: Key) -> Bool { record[CodedName.field(of: key)] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

    // The overloads for frequent types avoid looking up the type. The other `decode` functions call the generic one.
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try plain(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try plain(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try plain(type, key) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try plain(type, key) }

    func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
        try decoder.content(type, of: try value(key), key)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try plainIfPresent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try plainIfPresent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try plainIfPresent(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try plainIfPresent(type, key) }

    func decodeIfPresent<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content? {
        guard let value = record[CodedName.field(of: key)], !value.isNull else { return nil }
        return try decoder.content(type, of: value, key)
    }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try plain(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try plain(type, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.nested(try value(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.nested(try value(key), key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        decoder.nested(record[PathKey.super.stringValue] ?? .null, PathKey.super)
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        decoder.nested(record[CodedName.field(of: key)] ?? .null, key)
    }

    private func value(_ key: Key) throws -> Value {
        guard let value = record[CodedName.field(of: key)] else {
            throw DecodingError.keyNotFound(key, decoder.context(nil, "the record has no such field"))
        }
        return value
    }

    @inline(__always)
    private func plain<Content: StoredForm>(_ type: Content.Type, _ key: Key) throws -> Content {
        try decoder.plain(type, of: try value(key), key)
    }

    @inline(__always)
    private func plainIfPresent<Content: StoredForm>(_ type: Content.Type, _ key: Key) throws -> Content? {
        guard let value = record[CodedName.field(of: key)], !value.isNull else { return nil }
        return try decoder.plain(type, of: value, key)
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
        let content = try decoder.content(type, of: try next(type), PathKey.index(currentIndex))
        currentIndex += 1
        return content
    }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try plain(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try plain(type) }

    private mutating func plain<Content: StoredForm>(_ type: Content.Type) throws -> Content {
        let content = try decoder.plain(type, of: try next(type), PathKey.index(currentIndex))
        currentIndex += 1
        return content
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try nested(Record.self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nested([Value].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try nested(Value.self)
        currentIndex += 1
        return decoder
    }

    private func nested<Content>(_ type: Content.Type) throws -> ValueDecoder {
        decoder.nested(try next(type), PathKey.index(currentIndex))
    }

    private func next<Content>(_ type: Content.Type) throws -> Value {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, decoder.context(PathKey.index(currentIndex), "the array has \(elements.count) elements"))
        }
        return elements[currentIndex]
    }
}
