import DataStoreCore
import UserProfileData

/// A value that is being encoded. Encoding containers add its fields or elements.
final class EncodedNode {
    /// A field's value or an array's element: either a finished value, or a value that is still being encoded.
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

    /// The number of arrays and records that contain this value.
    let depth: Int

    /// The coding key types with which this value was encoded. They are needed only for the outermost value.
    private var keyTypes: [any CodingKey.Type] = []

    init(depth: Int) { self.depth = depth }

    var elementCount: Int { elements.count }

    /// Whether a keyed container has made the value a record.
    var isKeyed: Bool { kind == .fields }

    /// Makes the value a record. Returns `false` if it is already a plain value or an array.
    func becomeFields<Key: CodingKey>(of keys: Key.Type) -> Bool {
        guard kind == .nothing || kind == .fields else { return false }
        kind = .fields
        if depth == 0 { keyTypes.append(keys) }
        return true
    }

    /// Makes the value an array. Returns `false` if it is already a plain value or a record.
    func becomeElements() -> Bool {
        guard kind == .nothing || kind == .elements else { return false }
        kind = .elements
        return true
    }

    /// Makes the value a plain value, or a copy of another value. Returns `false` if it already has content.
    func become(_ part: Part) -> Bool {
        guard kind == .nothing else { return false }
        switch part {
        case .value(let value):
            kind = .value
            self.value = value
        case .node(let node):
            (kind, value, fields, elements) = (node.kind, node.value, node.fields, node.elements)
            keyTypes = node.keyTypes
        }
        return true
    }

    func append(_ part: Part, for key: some CodingKey) { fields.append((CodedName.field(of: key), part)) }

    /// Returns the value for a nested container. Several containers for one key add to the same value.
    func node(for key: some CodingKey) -> EncodedNode {
        let name = CodedName.field(of: key)
        if case .node(let node)? = fields.last(where: { $0.name == name })?.part { return node }
        let node = EncodedNode(depth: depth + 1)
        fields.append((name, .node(node)))
        return node
    }

    func append(_ part: Part) { elements.append(part) }

    /// Returns whether a field of a stored record belongs to the encoded type: whether its name is a coding key of the
    /// type, or is reserved. A save replaces or removes such a field, and preserves all other fields.
    func knows(field: String) -> Bool {
        guard let name = CodedName.key(of: field) else { return true }
        return keyTypes.contains { $0.init(stringValue: name) != nil }
    }

    /// The raw value of a `RawRepresentable` type with a synthesized `Codable` conformance, which encodes it as the
    /// only field. It is `nil` if the node is another record, or if the raw value is a record or an array itself.
    var rawValue: Value? {
        guard kind == .fields, fields.count == 1, fields[0].name == CodedName.rawValue,
            case .value(let value) = fields[0].part, value.record == nil, value.array == nil
        else { return nil }
        return value
    }

    /// Returns the finished value, including its fields or elements.
    func finished() -> Value {
        switch kind {
        case .nothing: .record(Record())
        case .value: value ?? .null
        case .fields: .record(record())
        case .elements: .array(elements.map(\.finished))
        }
    }

    private func record() -> Record {
        // The sort is stable. If a type encodes several values for a key, the last one is stored.
        let ordered = fields.map { Record.Field(name: $0.name, value: $0.part.finished) }
            .sorted { Record.precedes($0.name, $1.name) }
        var result: [Record.Field] = []
        result.reserveCapacity(ordered.count)
        for field in ordered {
            if let last = result.last, last.isNamed(field.name) { result.removeLast() }
            result.append(field)
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
