/// An encoder of one value of a record.
final class ValueEncoder: Coder, Encoder {
    /// The number of arrays and records that contain the value.
    let depth: Int

    /// The content that the type has encoded so far.
    ///
    /// - Safety: No access calls back into this object, so accesses do not overlap.
    @safe @exclusivity(unchecked) private var content: EncodedNode.Part?

    override init(run: CodingSession) {
        depth = 0
        super.init(run: run)
    }

    private init(_ key: (any CodingKey)?, in parent: ValueEncoder, depth: Int) {
        self.depth = depth
        super.init(key, in: parent)
    }

    /// Creates an encoder of a value that another value contains, which writes into a node.
    init(_ node: EncodedNode, _ key: any CodingKey, in parent: ValueEncoder) {
        (depth, content) = (node.depth, node.part)
        super.init(key, in: parent)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let node = node
        if !checkDepth() || !node.becomeFields(of: type) { noteSecondValue() }
        return KeyedEncodingContainer(KeyedValueEncoder<Key>(encoder: self, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let node = node
        if !checkDepth() || !node.become(.elements) { noteSecondValue() }
        return UnkeyedValueEncoder(encoder: self, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The node of the value. If the value is already a plain one, the node is discarded.
    private var node: EncodedNode {
        if case .node(let number)? = content { return run.nodes[number] }
        let node = run.addNode(depth: depth)
        if content == nil { content = node.part } else { noteSecondValue() }
        return node
    }

    /// Encodes this value, or a value that it contains.
    func part(
        of content: some Encodable, _ key: @autoclosure () -> (any CodingKey)? = nil, depth: Int
    ) throws -> EncodedNode.Part {
        if let value = run.encode(storedFormOf: content) {
            if depth > Record.maximumDepth, run.isContainer(value) { noteDepth() }
            return .value(value)
        }
        return try ValueEncoder(key(), in: self, depth: depth).coded(content)
    }

    /// Encodes this value with `encode(to:)` of its type.
    func coded(_ value: some Encodable) throws -> EncodedNode.Part {
        guard level < CodingSession.maximumLevel else {
            throw EncodingError.invalidValue(value, context("values are nested too deep"))
        }
        do {
            try value.encode(to: self)
        } catch {
            run.note(error, at: self)
            throw error
        }
        run.noteSuccess()
        if let misuse = run.misuse { throw misuse }
        guard let content else { return .value(run.keep(Value.encodedEmpty)) }
        if case .node(let number) = content, let raw = run.nodes[number].rawValue(in: run),
            value is any RawRepresentable
        {
            return .value(raw)
        }
        return content
    }

    private func checkDepth() -> Bool {
        guard depth > Record.maximumDepth else { return true }
        noteDepth()
        return false
    }

    private func noteDepth() {
        let reason = "arrays and records are nested more than \(Record.maximumDepth) deep"
        run.note(misuse: EncodingError.invalidValue(self, context(reason)))
    }

    /// Encodes `nil` as a record at a depth.
    func null(depth: Int) -> EncodedNode.Part {
        if depth > Record.maximumDepth { noteDepth() }
        return .value(run.keep(Value.encodedNull))
    }

    private func noteSecondValue() {
        let reason = "the type encodes two values of different kinds at the same path"
        run.note(misuse: EncodingError.invalidValue(self, context(reason)))
    }

    private func context(_ reason: String) -> EncodingError.Context {
        EncodingError.Context(codingPath: codingPath, debugDescription: reason)
    }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try become(null(depth: depth)) }
    func encode(_ value: String) throws { try become(.value(run.encode(value))) }

    // The other `encode` functions of the container call this one.
    func encode<Content: Encodable>(_ value: Content) throws { try become(try part(of: value, depth: depth)) }

    // Without these overloads, the compiler would choose the standard library's defaults, which throw.
    func encode(_ value: Int128) throws { try become(try part(of: value, depth: depth)) }
    func encode(_ value: UInt128) throws { try become(try part(of: value, depth: depth)) }

    private func become(_ part: EncodedNode.Part) throws {
        switch content {
        case nil: content = part
        case .node(let number)? where run.nodes[number].become(.other): run.nodes[number].append(part)
        default: noteSecondValue()
        }
        if let misuse = run.misuse { throw misuse }
    }
}
