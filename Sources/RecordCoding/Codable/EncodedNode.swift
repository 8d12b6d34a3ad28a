import DataStoreCore
import UserProfileData

/// A record or an array that is being encoded. Encoding containers add its fields or elements. The CBOR of plain values
/// is in ``CodingSession/encoded``, so they need no objects.
final class EncodedNode {
    /// A field's value or an array's element.
    enum Part {
        /// A plain value, of which the range contains the CBOR.
        case value(Range<Int>)
        case node(EncodedNode)
    }

    private enum Kind {
        case nothing, fields, elements
        case value(Range<Int>)
    }

    /// The number of arrays and records that contain this value.
    let depth: Int

    // Checking the accesses to these properties at run time would take as long as encoding the values.
    // - Safety: No access calls back into this object, so accesses do not overlap.
    @safe @exclusivity(unchecked) private var kind = Kind.nothing
    /// The fields in the order in which they were encoded, or the elements, whose names are empty.
    @safe @exclusivity(unchecked) private var parts: [(name: String, part: Part)] = []
    /// The positions of the fields in ``parts``, with the numbers of their names (see `FieldName`). Only positions are
    /// sorted, because moving names and parts retains and releases them.
    @safe @exclusivity(unchecked) private var order: [(index: Int, number: UInt64)] = []
    @safe @exclusivity(unchecked) private var isSorted = true

    /// The coding key types with which this value was encoded. They are needed only for the outermost value.
    private var keyTypes: [any CodingKey.Type] = []

    init(depth: Int) { self.depth = depth }

    var elementCount: Int { parts.count }

    /// Whether a keyed container has made the value a record.
    var isKeyed: Bool { if case .fields = kind { true } else { false } }

    /// Makes the value a record. Returns `false` if it is already a plain value or an array.
    func becomeFields<Key: CodingKey>(of keys: Key.Type) -> Bool {
        switch kind {
        case .nothing:
            // Most types have fewer fields. Growing the arrays step by step takes as long as sorting the names.
            parts.reserveCapacity(16)
            order.reserveCapacity(16)
            kind = .fields
        case .fields: break
        case .value, .elements: return false
        }
        if depth == 0 { keyTypes.append(keys) }
        return true
    }

    /// Makes the value an array. Returns `false` if it is already a plain value or a record.
    func becomeElements() -> Bool {
        switch kind {
        case .nothing: kind = .elements
        case .elements: break
        case .value, .fields: return false
        }
        return true
    }

    /// Makes the value a plain value, or a copy of another value. Returns `false` if it already has content.
    func become(_ part: Part) -> Bool {
        guard case .nothing = kind else { return false }
        switch part {
        case .value(let range): kind = .value(range)
        case .node(let node):
            (kind, parts, order, isSorted) = (node.kind, node.parts, node.order, node.isSorted)
            keyTypes = node.keyTypes
        }
        return true
    }

    func append(_ part: Part, for key: some CodingKey) { append(part, named: CodedName.field(of: key)) }

    private func append(_ part: Part, named name: String) {
        let number = FieldName(name).order
        if let last = order.last, last.number >= number { isSorted = false }
        order.append((parts.count, number))
        parts.append((name, part))
    }

    /// Returns the value for a nested container. Several containers for one key add to the same value.
    func node(for key: some CodingKey) -> EncodedNode {
        let name = CodedName.field(of: key)
        if case .node(let node)? = parts.last(where: { $0.name.hasSameBytes(as: name) })?.part { return node }
        let node = EncodedNode(depth: depth + 1)
        append(.node(node), named: name)
        return node
    }

    func append(_ part: Part) { parts.append(("", part)) }

    /// The raw value of a `RawRepresentable` type with a synthesized `Codable` conformance, which encodes it as the
    /// only field. It is `nil` if the node is another record, or if the raw value is a record or an array itself.
    func rawValue(in run: CodingSession) -> Range<Int>? {
        guard isKeyed, parts.count == 1, parts[0].name == CodedName.rawValue, case .value(let range) = parts[0].part,
            !run.isContainer(range)
        else { return nil }
        return range
    }

    // MARK: Fields of the replaced record

    /// Adds the fields of a replaced record that do not belong to the encoded type.
    func keepFields(of old: EncodedRecord, in run: CodingSession) throws(DataStoreError) {
        sort()
        let ownCount = order.count
        var next = 0
        for index in try old.fields() {
            // Both records have their fields in the same order.
            var isBefore: Bool? = true
            while next < ownCount {
                isBefore = parts[order[next].index].name.withBytes { old.isField(index, before: $0) }
                guard isBefore == false else { break }
                next += 1
            }
            // A field with the name of an own one is replaced.
            if next < ownCount, isBefore == nil { continue }
            let field = try old.field(index)
            if !knows(field: field.name) { append(.value(run.keep(field.value)), named: field.name) }
        }
    }

    /// Returns whether a field of a stored record belongs to the encoded type: whether its name is a coding key of the
    /// type, or is reserved. A save replaces or removes such a field, and preserves all other fields.
    private func knows(field: String) -> Bool {
        guard let name = CodedName.key(of: field) else { return true }
        return keyTypes.contains { $0.init(stringValue: name) != nil }
    }

    // MARK: The encoded value

    /// The maximum number of bytes of the encoded value.
    var maximumByteCount: Int {
        if case .value(let range) = kind { return range.count }
        var byteCount = CBOREncoder.maximumHeadCount
        for index in parts.indices {
            byteCount += CBOREncoder.maximumHeadCount + parts[index].name.utf8.count
            switch parts[index].part {
            case .value(let range): byteCount += range.count
            case .node(let node): byteCount += node.maximumByteCount
            }
        }
        return byteCount
    }

    /// Appends the encoded value to an output. `values` contains the CBOR of its plain values.
    func write(_ values: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        switch kind {
        case .nothing: CBOREncoder.head(.map, 0, &output)
        case .value(let range): CBOREncoder.append(values.extracting(range), &output)
        case .elements:
            CBOREncoder.head(.array, UInt64(parts.count), &output)
            for index in parts.indices { write(index, values, to: &output) }
        case .fields:
            sort()
            CBOREncoder.head(.map, UInt64(order.count), &output)
            for position in order {
                CBOREncoder.encode(parts[position.index].name, &output)
                write(position.index, values, to: &output)
            }
        }
    }

    private func write(_ index: Int, _ values: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        switch parts[index].part {
        case .value(let range): CBOREncoder.append(values.extracting(range), &output)
        case .node(let node): node.write(values, to: &output)
        }
    }

    /// Sorts the fields in the order of a record. If a type encodes several values for a key, the last one remains.
    private func sort() {
        if isSorted { return }
        let parts = parts
        let sorted = order.sorted { left, right in
            guard left.number == right.number else { return left.number < right.number }
            let (name, other) = (parts[left.index].name, parts[right.index].name)
            return name.hasSameBytes(as: other) ? left.index < right.index : Record.precedes(name, other)
        }
        order.removeAll(keepingCapacity: true)
        for position in sorted {
            if let last = order.last, last.number == position.number,
                parts[last.index].name.hasSameBytes(as: parts[position.index].name)
            {
                order.removeLast()
            }
            order.append(position)
        }
        isSorted = true
    }
}
