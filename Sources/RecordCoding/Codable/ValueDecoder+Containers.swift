/// A keyed decoding container over the fields of a record. The standard library copies it for each key, so the decoder
/// contains its state.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        let names =
            switch decoder.fields {
            case .record(let range): range.compactMap(decoder.record.name)
            case .rawValue: [CodedName.rawValue]
            }
        return names.compactMap { CodedName.key(of: $0).flatMap(Key.init(stringValue:)) }
    }

    func contains(_ key: Key) -> Bool { position(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { decoder.isNull(try required(key)) }

    // The overloads for frequent types avoid looking up the type. The other `decode` functions call the generic one.
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try plain(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try plain(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try plain(type, key) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try plain(type, key) }

    func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
        try decoder.content(type, at: try required(key), key)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try plainIfPresent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try plainIfPresent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try plainIfPresent(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try plainIfPresent(type, key) }

    func decodeIfPresent<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content? {
        guard let position = position(key), !decoder.isNull(position) else { return nil }
        return try decoder.content(type, at: position, key)
    }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try plain(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try plain(type, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.nested(try required(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.nested(try required(key), key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        decoder.nested(position(named: PathKey.super.stringValue), PathKey.super)
    }

    func superDecoder(forKey key: Key) -> any Decoder { decoder.nested(position(key), key) }

    /// Returns the position of the value of a key, or `nil` if the record has no such field.
    private func position(_ key: Key) -> Int? {
        if MemoryLayout<Key>.size == 1, case .record(let range) = decoder.fields,
            let name = decoder.run.knownName(of: Key.self, byte(of: key))
        {
            return decoder.record.position(ofShort: name.order, name.end, in: range)
        }
        return positionByName(key)
    }

    @inline(never)
    private func positionByName(_ key: Key) -> Int? {
        key.stringValue.withBytes { name in
            // Nearly all keys are stored under their own names.
            guard CodedName.isPlain(name), case .record(let range) = decoder.fields else {
                return position(named: CodedName.field(of: key))
            }
            if MemoryLayout<Key>.size == 1 { decoder.run.note(name, of: Key.self, byte(of: key)) }
            return decoder.record.position(of: name, in: range)
        }
    }

    /// Returns a key whose type has the size of one byte, as a byte.
    @inline(__always)
    private func byte(of key: Key) -> UInt8 { unsafe unsafeBitCast(key, to: UInt8.self) }

    private func position(named name: String) -> Int? {
        switch decoder.fields {
        case .record(let range): name.withBytes { decoder.record.position(of: $0, in: range) }
        case .rawValue(let position): name == CodedName.rawValue ? position : nil
        }
    }

    private func required(_ key: Key) throws -> Int {
        guard let position = position(key) else {
            throw DecodingError.keyNotFound(key, decoder.context(nil, "the record has no such field"))
        }
        return position
    }

    @inline(__always)
    private func plain<Content: StoredForm>(_ type: Content.Type, _ key: Key) throws -> Content {
        try decoder.plain(type, at: try required(key), key)
    }

    @inline(__always)
    private func plainIfPresent<Content: StoredForm>(_ type: Content.Type, _ key: Key) throws -> Content? {
        guard let position = position(key), !decoder.isNull(position) else { return nil }
        return try decoder.plain(type, at: position, key)
    }
}

/// An unkeyed decoding container over the elements of an array.
struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    private let elementCount: Int
    private let decoder: ValueDecoder
    /// The position of the next element.
    private var position: Int
    private(set) var currentIndex = 0

    init(elementCount: Int, first: Int, decoder: ValueDecoder) {
        (self.elementCount, position, self.decoder) = (elementCount, first, decoder)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elementCount }
    var isAtEnd: Bool { currentIndex >= elementCount }

    mutating func decodeNil() throws -> Bool {
        guard decoder.isNull(try next(Any?.self)) else { return false }
        try advance()
        return true
    }

    // The other `decode` functions of the container call this one.
    mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
        let content = try decoder.content(type, at: try next(type), PathKey.index(currentIndex))
        try advance()
        return content
    }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try plain(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try plain(type) }

    private mutating func plain<Content: StoredForm>(_ type: Content.Type) throws -> Content {
        let content = try decoder.plain(type, at: try next(type), PathKey.index(currentIndex))
        try advance()
        return content
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try nested(Record.self).container(keyedBy: type)
        try advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nested([Value].self).unkeyedContainer()
        try advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try nested(Value.self)
        try advance()
        return decoder
    }

    private func nested<Content>(_ type: Content.Type) throws -> ValueDecoder {
        decoder.nested(try next(type), PathKey.index(currentIndex))
    }

    private func next<Content>(_ type: Content.Type) throws -> Int {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type, decoder.context(PathKey.index(currentIndex), "the array has \(elementCount) elements"))
        }
        return position
    }

    private mutating func advance() throws {
        try decoder.record.skip(at: &position)
        currentIndex += 1
    }
}
