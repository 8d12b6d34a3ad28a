import DataStoreCore
import UserProfileData

/// A record or an array that is being encoded. Encoding containers add its fields or elements. The names and the CBOR
/// of plain values are in ``CodingSession/encoded``, so they need no objects.
final class EncodedNode {
    /// An encoded value.
    enum Part {
        /// A plain value, of which the range contains the CBOR.
        case value(Range<Int>)
        case node(EncodedNode)

        /// Appends the encoded value to an output.
        func write(_ run: CodingSession, to output: inout OutputSpan<UInt8>) {
            switch self {
            case .value(let range):
                let encoded = run.encoded
                CBOREncoder.append(encoded.span.extracting(range), &output)
            case .node(let node): node.write(run, to: &output)
            }
        }
    }

    /// The name of a field.
    struct Name {
        /// The number by which records order their fields. See `FieldName`.
        let order: UInt64
        /// The range of the UTF-8 bytes. It is empty for an element of an array.
        let text: Range<Int>

        static let none = Name(order: 0, text: 0..<0)
    }

    /// A field or an element. It contains no references, because sorting would retain and release them.
    private struct Field {
        enum Content {
            /// A plain value, of which the range contains the CBOR.
            case value(Range<Int>)
            /// Any other value, of which the number is the position in ``nodes``.
            case node(Int)
        }

        let name: Name
        let content: Content
    }

    private enum Kind {
        case nothing, fields, elements
        case other(Part)
    }

    /// The number of arrays and records that contain this value.
    let depth: Int

    // Checking the accesses to these properties at run time would take as long as encoding the values.
    // - Safety: No access calls back into this object, so accesses do not overlap.
    @safe @exclusivity(unchecked) private var kind = Kind.nothing
    @safe @exclusivity(unchecked) private var fields: [Field] = []
    @safe @exclusivity(unchecked) private var nodes: [EncodedNode] = []
    @safe @exclusivity(unchecked) private var isSorted = true

    /// The values of the nested containers, by the texts of their keys.
    private var containers: [String: EncodedNode] = [:]

    /// The coding key types with which this value was encoded. They are needed only for the outermost value.
    private var keyTypes: [any CodingKey.Type] = []

    init(depth: Int, in run: CodingSession) {
        self.depth = depth
        run.noteHead()
    }

    var elementCount: Int { fields.count }

    /// Whether a keyed container has made the value a record.
    var isKeyed: Bool { if case .fields = kind { true } else { false } }

    /// Makes the value a record. Returns `false` if it already has other content.
    func becomeFields<Key: CodingKey>(of keys: Key.Type) -> Bool {
        switch kind {
        case .nothing:
            // Most types have fewer fields. Growing the array step by step takes as long as sorting the names.
            fields.reserveCapacity(16)
            kind = .fields
        case .fields: break
        case .other, .elements: return false
        }
        if depth == 0 { keyTypes.append(keys) }
        return true
    }

    /// Makes the value an array. Returns `false` if it already has other content.
    func becomeElements() -> Bool {
        switch kind {
        case .nothing: kind = .elements
        case .elements: break
        case .other, .fields: return false
        }
        return true
    }

    /// Makes the value another value. Returns `false` if it already has content.
    func become(_ part: Part) -> Bool {
        guard case .nothing = kind else { return false }
        kind = .other(part)
        return true
    }

    /// Appends a field.
    func append(_ part: Part, _ name: Name) {
        if let last = fields.last, last.name.order >= name.order { isSorted = false }
        append(part, named: name)
    }

    /// Appends an element.
    func append(_ part: Part) { append(part, named: .none) }

    private func append(_ part: Part, named name: Name) {
        switch part {
        case .value(let range): fields.append(Field(name: name, content: .value(range)))
        case .node(let node):
            fields.append(Field(name: name, content: .node(nodes.count)))
            nodes.append(node)
        }
    }

    /// Returns the value for a nested container. Several containers for one key add to the same value.
    func node(for key: some CodingKey, in run: CodingSession) -> EncodedNode {
        if let node = containers[key.stringValue] { return node }
        let node = EncodedNode(depth: depth + 1, in: run)
        containers[key.stringValue] = node
        append(.node(node), run.encode(nameOf: key))
        return node
    }

    /// The raw value of a `RawRepresentable` type with a synthesized `Codable` conformance, which encodes it as the
    /// only field. It is `nil` if the node is another record, or if the raw value is a record or an array itself.
    func rawValue(in run: CodingSession) -> Range<Int>? {
        guard isKeyed, fields.count == 1, case .value(let value) = fields[0].content, !run.isContainer(value),
            run.withBytes(of: fields[0].name, { name in CodedName.rawValue.withBytes { name.hasSameBytes(as: $0) } })
        else { return nil }
        return value
    }

    // MARK: Fields of the replaced record

    /// Adds the fields of a replaced record that do not belong to the encoded type.
    func keepFields(of old: EncodedRecord, in run: CodingSession) throws(DataStoreError) {
        sort(run)
        let ownCount = fields.count
        var next = 0
        for index in try old.fields() {
            // Both records have their fields in the same order.
            var isBefore: Bool? = true
            while next < ownCount {
                isBefore = run.withBytes(of: fields[next].name) { old.isField(index, before: $0) }
                guard isBefore == false else { break }
                next += 1
            }
            // A field with the name of an own one is replaced.
            if next < ownCount, isBefore == nil { continue }
            let field = try old.field(index)
            if !knows(field: field.name) { append(.value(run.keep(field.value)), run.encode(name: field.name)) }
        }
    }

    /// Returns whether a field of a stored record belongs to the encoded type: whether its name is a coding key of the
    /// type, or is reserved. A save replaces or removes such a field, and preserves all other fields.
    private func knows(field: String) -> Bool {
        guard let name = CodedName.key(of: field) else { return true }
        return keyTypes.contains { $0.init(stringValue: name) != nil }
    }

    // MARK: The encoded value

    /// Appends the encoded value to an output.
    func write(_ run: CodingSession, to output: inout OutputSpan<UInt8>) {
        switch kind {
        case .nothing: return CBOREncoder.head(.map, 0, &output)
        case .other(let part): return part.write(run, to: &output)
        case .elements: CBOREncoder.head(.array, UInt64(fields.count), &output)
        case .fields:
            sort(run)
            CBOREncoder.head(.map, UInt64(fields.count), &output)
        }
        let encoded = run.encoded
        for field in fields {
            if !field.name.text.isEmpty {
                CBOREncoder.head(.text, UInt64(field.name.text.count), &output)
                CBOREncoder.append(encoded.span.extracting(field.name.text), &output)
            }
            switch field.content {
            case .value(let range): CBOREncoder.append(encoded.span.extracting(range), &output)
            case .node(let index): nodes[index].write(run, to: &output)
            }
        }
    }

    /// Sorts the fields in the order of a record. If a type encodes several values for a key, the last one remains.
    private func sort(_ run: CodingSession) {
        if isSorted { return }
        isSorted = true
        fields.sort { left, right in
            guard left.name.order == right.name.order else { return left.name.order < right.name.order }
            // Names were added in the order of their fields.
            return run.precedes(left.name, right.name) ?? (left.name.text.lowerBound < right.name.text.lowerBound)
        }
        var count = 0
        for index in fields.indices {
            if count > 0, run.isSame(fields[count - 1].name, fields[index].name) { count -= 1 }
            fields[count] = fields[index]
            count += 1
        }
        fields.removeLast(fields.count - count)
    }
}
