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
    /// The fields in the order in which they were encoded, or the elements, whose names are empty.
    private var parts: [(name: String, part: Part)] = []

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
        // Most types have fewer fields. Growing the array step by step takes as long as sorting the names.
        if kind == .nothing { parts.reserveCapacity(16) }
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
            (kind, value, parts) = (node.kind, node.value, node.parts)
            keyTypes = node.keyTypes
        }
        return true
    }

    func append(_ part: Part, for key: some CodingKey) { parts.append((CodedName.field(of: key), part)) }

    /// Returns the value for a nested container. Several containers for one key add to the same value.
    func node(for key: some CodingKey) -> EncodedNode {
        let name = CodedName.field(of: key)
        if case .node(let node)? = parts.last(where: { $0.name.hasSameBytes(as: name) })?.part { return node }
        let node = EncodedNode(depth: depth + 1)
        parts.append((name, .node(node)))
        return node
    }

    func append(_ part: Part) { parts.append(("", part)) }

    /// Returns whether a field of a stored record belongs to the encoded type: whether its name is a coding key of the
    /// type, or is reserved. A save replaces or removes such a field, and preserves all other fields.
    func knows(field: String) -> Bool {
        guard let name = CodedName.key(of: field) else { return true }
        return keyTypes.contains { $0.init(stringValue: name) != nil }
    }

    /// The raw value of a `RawRepresentable` type with a synthesized `Codable` conformance, which encodes it as the
    /// only field. It is `nil` if the node is another record, or if the raw value is a record or an array itself.
    var rawValue: Value? {
        guard kind == .fields, parts.count == 1, parts[0].name == CodedName.rawValue,
            case .value(let value) = parts[0].part, value.record == nil, value.array == nil
        else { return nil }
        return value
    }

    /// Returns the finished value, including its fields or elements.
    func finished() -> Value {
        switch kind {
        case .nothing: .record(Record())
        case .value: value ?? .null
        case .fields: .record(record())
        case .elements: .array(parts.map(\.part.finished))
        }
    }

    private func record() -> Record {
        let parts = parts
        // Only positions are sorted, because moving names and values retains and releases them.
        let order = parts.indices.map { Position(of: parts[$0].name, at: $0) }.sorted { left, right in
            guard left.hasSameBeginning(as: right) else { return left.precedes(right) }
            let (name, other) = (parts[left.index].name, parts[right.index].name)
            return name.hasSameBytes(as: other) ? left.index < right.index : Record.precedes(name, other)
        }
        var fields: [Record.Field] = []
        fields.reserveCapacity(order.count)
        for position in order {
            let (name, part) = parts[position.index]
            // If a type encodes several values for a key, the last one is stored.
            if let last = fields.last, last.isNamed(name) { fields.removeLast() }
            fields.append(Record.Field(name: name, value: part.finished))
        }
        return Record(ordered: fields)
    }

    /// The position of a field, with what decides most comparisons of names.
    private struct Position {
        let index: Int
        private let count: Int
        private let prefix: UInt64

        init(of name: String, at index: Int) {
            self.index = index
            count = name.utf8.count
            prefix = name.withBytes { $0.prefix(at: 0, length: $0.count) }
        }

        func hasSameBeginning(as other: Position) -> Bool { count == other.count && prefix == other.prefix }

        func precedes(_ other: Position) -> Bool {
            count == other.count ? prefix < other.prefix : count < other.count
        }
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
