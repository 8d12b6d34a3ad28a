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
    /// The names of the fields. It is empty for an array.
    private var names: [String] = []
    /// The values of the fields, or the elements.
    private var parts: [Part] = []

    /// The number of arrays and records that contain this value.
    let depth: Int

    /// The coding key types with which this value was encoded. They are needed only for the outermost value.
    private var keyTypes: [any CodingKey.Type] = []

    init(depth: Int) { self.depth = depth }

    var elementCount: Int { parts.count }

    /// Whether a keyed container has made the value a record.
    var isKeyed: Bool { kind == .fields }

    /// Makes the value a record. Returns `false` if it is already a plain value or an array.
    func becomeFields<Key: CodingKey>(of keys: Key.Type) -> Bool {
        guard kind == .nothing || kind == .fields else { return false }
        if kind == .nothing {
            // Most types have fewer fields. Growing the arrays step by step takes as long as sorting the names.
            names.reserveCapacity(16)
            parts.reserveCapacity(16)
        }
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
            (kind, value, names, parts) = (node.kind, node.value, node.names, node.parts)
            keyTypes = node.keyTypes
        }
        return true
    }

    func append(_ part: Part, for key: some CodingKey) { append(part, named: CodedName.field(of: key)) }

    private func append(_ part: Part, named name: String) {
        names.append(name)
        parts.append(part)
    }

    /// Returns the value for a nested container. Several containers for one key add to the same value.
    func node(for key: some CodingKey) -> EncodedNode {
        let name = CodedName.field(of: key)
        if let index = names.lastIndex(where: { $0.hasSameBytes(as: name) }), case .node(let node) = parts[index] {
            return node
        }
        let node = EncodedNode(depth: depth + 1)
        append(.node(node), named: name)
        return node
    }

    func append(_ part: Part) { parts.append(part) }

    /// Returns whether a field of a stored record belongs to the encoded type: whether its name is a coding key of the
    /// type, or is reserved. A save replaces or removes such a field, and preserves all other fields.
    func knows(field: String) -> Bool {
        guard let name = CodedName.key(of: field) else { return true }
        return keyTypes.contains { $0.init(stringValue: name) != nil }
    }

    /// The raw value of a `RawRepresentable` type with a synthesized `Codable` conformance, which encodes it as the
    /// only field. It is `nil` if the node is another record, or if the raw value is a record or an array itself.
    var rawValue: Value? {
        guard kind == .fields, names.count == 1, names[0] == CodedName.rawValue,
            case .value(let value) = parts[0], value.record == nil, value.array == nil
        else { return nil }
        return value
    }

    /// Returns the finished value, including its fields or elements.
    func finished() -> Value {
        switch kind {
        case .nothing: .record(Record())
        case .value: value ?? .null
        case .fields: .record(record())
        case .elements: .array(parts.map(\.finished))
        }
    }

    private func record() -> Record {
        // Only positions are sorted, because moving values retains and releases them. The sort is stable. If a type
        // encodes several values for a key, the last one is stored.
        let order = names.indices.sorted { Record.precedes(names[$0], names[$1]) }
        var fields: [Record.Field] = []
        fields.reserveCapacity(order.count)
        for index in order {
            if let last = fields.last, last.isNamed(names[index]) { fields.removeLast() }
            fields.append(Record.Field(name: names[index], value: parts[index].finished))
        }
        return Record(ordered: fields)
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
