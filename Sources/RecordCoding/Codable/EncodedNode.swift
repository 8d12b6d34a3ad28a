import DataStoreCore

/// A value under construction, into which encoding containers write.
final class EncodedNode {
    /// A part of a container: a finished value, or a node that another container still writes into.
    enum Part {
        case value(Value)
        case node(EncodedNode)
    }

    private enum Kind {
        case nothing, value, fields, elements
    }

    private var kind = Kind.nothing
    private var value: Value?
    private var fields: [(name: String, part: Part)] = []
    private var elements: [Part] = []

    /// The number of arrays and records around this value.
    let depth: Int

    /// One function for each type of keys that was used. It returns whether a name is one of these keys.
    private var knows: [(String) -> Bool] = []

    init(depth: Int) { self.depth = depth }

    var elementCount: Int { elements.count }

    /// Whether this node is a record.
    var isKeyed: Bool { kind == .fields }

    /// Makes this node a record. Returns `false` if it is a value or an array.
    func becomeFields<Key: CodingKey>(of keys: Key.Type) -> Bool {
        guard kind == .nothing || kind == .fields else { return false }
        kind = .fields
        knows.append { Key(stringValue: $0) != nil }
        return true
    }

    /// Makes this node an array. Returns `false` if it is a value or a record.
    func becomeElements() -> Bool {
        guard kind == .nothing || kind == .elements else { return false }
        kind = .elements
        return true
    }

    /// Makes this node a plain value, or a copy of another node. Returns `false` if it has content.
    func become(_ part: Part) -> Bool {
        guard kind == .nothing else { return false }
        switch part {
        case .value(let value):
            kind = .value
            self.value = value
        case .node(let node):
            (kind, value, fields, elements) = (node.kind, node.value, node.fields, node.elements)
            knows = node.knows
        }
        return true
    }

    func append(_ part: Part, for key: any CodingKey) { fields.append((CodedName.field(of: key), part)) }

    func append(_ part: Part) { elements.append(part) }

    /// Returns whether the encoded type has a key for a field of a stored record. A save replaces or removes such
    /// fields.
    func knows(field: String) -> Bool {
        guard let name = CodedName.key(of: field) else { return true }
        return knows.contains { $0(name) }
    }

    /// Returns the encoded value.
    func finished() -> Value {
        switch kind {
        case .nothing: .record(Record())
        case .value: value ?? .null
        case .fields: .record(record())
        case .elements: .array(elements.map(\.finished))
        }
    }

    private func record() -> Record {
        let ordered = fields.enumerated().sorted { left, right in
            if Record.precedes(left.element.name, right.element.name) { return true }
            if Record.precedes(right.element.name, left.element.name) { return false }
            return left.offset < right.offset
        }
        var result: [Record.Field] = []
        result.reserveCapacity(ordered.count)
        for (_, field) in ordered {
            // The last value that was encoded for a key replaces earlier ones.
            if let last = result.last, last.name.hasSameBytes(as: field.name) { result.removeLast() }
            result.append(Record.Field(name: field.name, value: field.part.finished))
        }
        return Record(ordered: result)
    }
}

extension EncodedNode.Part {
    var finished: Value {
        switch self {
        case .value(let value): value
        case .node(let node): node.finished()
        }
    }
}
