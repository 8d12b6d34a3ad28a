import DataStoreCore

/// A value that is being encoded: what containers write into.
final class EncodedNode {
    /// What is written in a container: what is done already, or what another container may go on with.
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

    /// How many arrays and records it is within.
    let depth: Int

    /// Whether a name is one of the keys of the type that is encoded, asked of each kind of keys that it has used.
    private var knows: [(String) -> Bool] = []

    init(depth: Int) { self.depth = depth }

    var elementCount: Int { elements.count }

    /// Whether it has fields.
    var isKeyed: Bool { kind == .fields }

    /// Makes it a record; false where it is something else already.
    func becomeFields<Key: CodingKey>(of keys: Key.Type) -> Bool {
        guard kind == .nothing || kind == .fields else { return false }
        kind = .fields
        knows.append { Key(stringValue: $0) != nil }
        return true
    }

    /// Makes it an array; false where it is something else already.
    func becomeElements() -> Bool {
        guard kind == .nothing || kind == .elements else { return false }
        kind = .elements
        return true
    }

    /// Makes it a plain value, or that of another node; false where it is something already.
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

    /// Whether a field of a stored record is one of the type's, and so replaced or removed when the value is kept.
    func knows(field: String) -> Bool {
        guard let name = CodedName.key(of: field) else { return true }
        return knows.contains { $0(name) }
    }

    /// What was encoded.
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
            // What was encoded again for a key is what counts.
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
