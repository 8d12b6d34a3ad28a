import DataStoreCore

/// An encoder of one value of a record. It writes into an ``EncodedNode``.
final class ValueEncoder: Coder, Encoder {
    let node: EncodedNode

    init(_ node: EncodedNode, run: CodingSession) {
        self.node = node
        super.init(run: run)
    }

    /// Creates an encoder of a value that another value contains.
    init(_ node: EncodedNode, _ key: (any CodingKey)?, in parent: ValueEncoder) {
        self.node = node
        super.init(key, in: parent)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if !checkDepth() || !node.becomeFields(of: type) { noteSecondValue() }
        return KeyedEncodingContainer(KeyedValueEncoder<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if !checkDepth() || !node.becomeElements() { noteSecondValue() }
        return UnkeyedValueEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Encodes this value, or a value that it contains.
    func part<Content: Encodable>(
        of content: Content, _ key: @autoclosure () -> (any CodingKey)? = nil, depth: Int
    ) throws -> EncodedNode.Part {
        if let value = StoredForms.value(of: content) {
            if depth > Record.maximumDepth, value.isContainer { noteDepth() }
            return .value(run.encode(value))
        }
        let key = key()
        guard level < CodingSession.maximumLevel else {
            throw EncodingError.invalidValue(content, context(key, "values are nested too deep"))
        }
        let node = EncodedNode(depth: depth)
        let encoder = ValueEncoder(node, key, in: self)
        do {
            try content.encode(to: encoder)
        } catch {
            run.note(error, at: encoder)
            throw error
        }
        run.noteSuccess()
        if let misuse = run.misuse { throw misuse }
        if let value = node.rawValue(in: run), content is any RawRepresentable { return .value(value) }
        return .node(node)
    }

    /// Returns an encoder of a value that this value contains, for a nested container.
    func nested(_ key: any CodingKey) -> ValueEncoder {
        ValueEncoder(EncodedNode(depth: node.depth + 1), key, in: self)
    }

    private func checkDepth() -> Bool {
        guard node.depth > Record.maximumDepth else { return true }
        noteDepth()
        return false
    }

    private func noteDepth() {
        let reason = "arrays and records are nested more than \(Record.maximumDepth) deep"
        run.note(misuse: EncodingError.invalidValue(node, context(nil, reason)))
    }

    /// Encodes `nil` as a record at a depth.
    func null(depth: Int) -> EncodedNode.Part {
        if depth > Record.maximumDepth { noteDepth() }
        return .value(run.keep(Value.encodedNull))
    }

    private func noteSecondValue() {
        let reason = "the type encodes two values of different kinds at the same path"
        run.note(misuse: EncodingError.invalidValue(node, context(nil, reason)))
    }

    private func context(_ key: (any CodingKey)?, _ reason: String) -> EncodingError.Context {
        EncodingError.Context(codingPath: path(key), debugDescription: reason)
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try become(null(depth: node.depth)) }
    func encode(_ value: String) throws { try become(.value(run.encode(.string(value)))) }

    // The other `encode` functions of the container call this one.
    func encode<Content: Encodable>(_ value: Content) throws { try become(try part(of: value, depth: node.depth)) }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    func encode(_ value: Int128) throws { try become(try part(of: value, depth: node.depth)) }
    func encode(_ value: UInt128) throws { try become(try part(of: value, depth: node.depth)) }

    private func become(_ part: EncodedNode.Part) throws {
        if !node.become(part) { noteSecondValue() }
        if let misuse = run.misuse { throw misuse }
    }
}
