import DataStoreCore

/// An encoder of one value of a record. It writes into an ``EncodedNode``.
struct ValueEncoder: Encoder {
    let node: EncodedNode
    let run: CodingSession
    let path: CodedPath?
    /// The nesting level of the value, which ``CodingSession/maximumLevel`` limits. A type that is stored as a single
    /// value adds a level, too.
    let level: Int

    var codingPath: [any CodingKey] { CodedPath.keys(path) }
    var userInfo: [CodingUserInfoKey: Any] { run.userInfo }

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
        of content: Content, at path: @autoclosure () -> CodedPath?, depth: Int
    ) throws -> EncodedNode.Part {
        if let value = StoredForms.value(of: content) { return .value(value) }
        let path = path()
        guard level < CodingSession.maximumLevel else {
            throw EncodingError.invalidValue(content, context(path, "values are nested too deep"))
        }
        let node = EncodedNode(depth: depth)
        do {
            try content.encode(to: ValueEncoder(node: node, run: run, path: path, level: level + 1))
        } catch {
            run.note(errorAt: path)
            throw error
        }
        run.noteSuccess()
        if let misuse = run.misuse { throw misuse }
        if let value = node.rawValue, content is any RawRepresentable { return .value(value) }
        return .node(node)
    }

    /// Returns an encoder of a value that this value contains, for a nested container.
    func nested(_ key: any CodingKey) -> ValueEncoder {
        let path = CodedPath(key, in: path)
        return ValueEncoder(node: EncodedNode(depth: node.depth + 1), run: run, path: path, level: level + 1)
    }

    private func checkDepth() -> Bool {
        guard node.depth > Record.maximumDepth else { return true }
        let reason = "arrays and records are nested more than \(Record.maximumDepth) deep"
        run.note(misuse: EncodingError.invalidValue(node, context(path, reason)))
        return false
    }

    private func noteSecondValue() {
        let reason = "the type encodes two values of different kinds at the same path"
        run.note(misuse: EncodingError.invalidValue(node, context(path, reason)))
    }

    private func context(_ path: CodedPath?, _ reason: String) -> EncodingError.Context {
        EncodingError.Context(codingPath: CodedPath.keys(path), debugDescription: reason)
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try become(.value(.null)) }

    // The other `encode` functions of the container call this one.
    func encode<Content: Encodable>(_ value: Content) throws {
        try become(try part(of: value, at: path, depth: node.depth))
    }

    // Without this overload, the compiler would choose the standard library's default for `Int128`, which throws.
    func encode(_ value: Int128) throws { try become(try part(of: value, at: path, depth: node.depth)) }

    func encode(_ value: UInt128) throws { try become(try part(of: value, at: path, depth: node.depth)) }

    private func become(_ part: EncodedNode.Part) throws {
        if !node.become(part) { noteSecondValue() }
        if let misuse = run.misuse { throw misuse }
    }
}
