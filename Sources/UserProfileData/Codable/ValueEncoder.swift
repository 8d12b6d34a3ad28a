import DataStoreCore

/// Encodes one value into a node.
struct ValueEncoder: Encoder {
    let node: EncodedNode
    let run: CodingRun
    let path: CodedPath?
    /// How many values this one is within.
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

    /// What is encoded of a value within this one.
    func part<Content: Encodable>(
        of content: Content, at path: CodedPath?, depth: Int
    ) throws -> EncodedNode.Part {
        if let plain = content as? any PlainValue { return .value(plain.plainValue) }
        if let convertible = content as? any RecordValueConvertible, let value = convertible.recordValue {
            return .value(value)
        }
        guard level < CodingRun.maximumLevel else {
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
        return .node(node)
    }

    /// What encodes a value within this one, container by container.
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
        let reason = "its type encodes two values of different kinds in one place"
        run.note(misuse: EncodingError.invalidValue(node, context(path, reason)))
    }

    private func context(_ path: CodedPath?, _ reason: String) -> EncodingError.Context {
        EncodingError.Context(codingPath: CodedPath.keys(path), debugDescription: reason)
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try become(.value(.null)) }

    // It does for the plain types, too.
    func encode<Content: Encodable>(_ value: Content) throws {
        try become(try part(of: value, at: path, depth: node.depth))
    }

    // The default of the standard library, which refuses, is more specific than the generic one.
    func encode(_ value: Int128) throws { try become(.value(value.plainValue)) }

    func encode(_ value: UInt128) throws { try become(.value(value.plainValue)) }

    private func become(_ part: EncodedNode.Part) throws {
        if !node.become(part) { noteSecondValue() }
        if let misuse = run.misuse { throw misuse }
    }
}
