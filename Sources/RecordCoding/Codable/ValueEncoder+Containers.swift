/// A keyed encoding container that writes the fields of a record.
struct KeyedValueEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    let node: EncodedNode

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws {
        node.append(encoder.null(depth: node.depth + 1), encoder.run.encode(nameOf: key))
    }

    // The overloads for frequent types avoid looking up the type. The other `encode` functions call the generic one.
    func encode(_ value: String, forKey key: Key) throws { append(encoder.run.encode(value), for: key) }
    func encode(_ value: Int, forKey key: Key) throws { append(encoder.run.encode(value), for: key) }
    func encode(_ value: Double, forKey key: Key) throws { append(encoder.run.encode(value), for: key) }
    func encode(_ value: Bool, forKey key: Key) throws { append(encoder.run.encode(value), for: key) }
    func encode<Content: Encodable>(_ value: Content, forKey key: Key) throws { try append(value, for: key) }

    private func append(_ value: Range<Int>, for key: Key) {
        node.append(.value(value), encoder.run.encode(nameOf: key))
    }

    private func append(_ value: some Encodable, for key: Key) throws {
        node.append(try encoder.part(of: value, key, depth: node.depth + 1), encoder.run.encode(nameOf: key))
    }

    // Without this overload, the compiler would choose the standard library's default for `Int128`, which throws.
    func encode(_ value: Int128, forKey key: Key) throws { try append(value, for: key) }

    func encode(_ value: UInt128, forKey key: Key) throws { try append(value, for: key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        ValueEncoder(node.node(for: key, in: encoder.run), key, in: encoder).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ValueEncoder(node.node(for: key, in: encoder.run), key, in: encoder).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested(PathKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: any CodingKey) -> ValueEncoder {
        let nested = encoder.run.addNode(depth: node.depth + 1)
        node.append(nested.part, encoder.run.encode(nameOf: key))
        return ValueEncoder(nested, key, in: encoder)
    }
}

/// An unkeyed encoding container that writes the elements of an array.
struct UnkeyedValueEncoder: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    let node: EncodedNode

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { node.elementCount }

    func encodeNil() throws { node.append(encoder.null(depth: node.depth + 1)) }

    // The other `encode` functions of the container call this one.
    func encode<Content: Encodable>(_ value: Content) throws { try append(value) }

    private func append(_ value: some Encodable) throws {
        node.append(try encoder.part(of: value, PathKey.index(count), depth: node.depth + 1))
    }

    func encode(_ value: Int128) throws { try append(value) }

    func encode(_ value: UInt128) throws { try append(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    private func nested() -> ValueEncoder {
        let nested = encoder.run.addNode(depth: node.depth + 1)
        defer { node.append(nested.part) }
        return ValueEncoder(nested, PathKey.index(count), in: encoder)
    }
}
