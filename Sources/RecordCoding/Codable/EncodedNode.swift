/// A record or an array that is being encoded. Encoding containers add its fields or elements. The names and the CBOR
/// of plain values are in ``CodingSession/encoded``, so they need no objects.
final class EncodedNode {
    /// An encoded value. It contains no references, because sorting would retain and release them.
    enum Part {
        /// A plain value, of which the range contains the CBOR.
        case value(Range<Int>)
        /// Any other value, of which the number is the position in ``CodingSession/nodes``.
        case node(Int)

        /// Appends the encoded value to an output. `encoded` is ``CodingSession/encoded``.
        func write(_ run: CodingSession, _ encoded: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
            switch self {
            case .value(let range): CBOREncoder.append(encoded.extracting(range), &output)
            case .node(let number): run.nodes[number].write(run, encoded, to: &output)
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

    enum Kind { case nothing, fields, elements, other }

    /// The value as a part of another one.
    let part: Part
    /// The number of arrays and records that contain this value.
    let depth: Int

    // Checking the accesses to these properties at run time would take as long as encoding the values.
    // - Safety: No access calls back into this object, so accesses do not overlap.
    @safe @exclusivity(unchecked) private var kind = Kind.nothing
    /// The fields of a record, the elements of an array, or the only other value.
    @safe @exclusivity(unchecked) private var parts: [(name: Name, part: Part)] = []
    @safe @exclusivity(unchecked) private var isSorted = true

    /// The values of the nested containers, by the texts of their keys.
    private var containers: [String: EncodedNode] = [:]

    /// The coding key types with which this value was encoded. They are needed only for the outermost value.
    private var keyTypes: [any CodingKey.Type] = []

    /// Creates a value. Call it only in ``CodingSession/addNode(depth:)``.
    init(number: Int, depth: Int) { (part, self.depth) = (.node(number), depth) }

    var elementCount: Int { parts.count }

    /// Whether a keyed container has made the value a record.
    var isKeyed: Bool { kind == .fields }

    /// Makes the value a record. Returns `false` if it already has other content.
    func becomeFields<Key: CodingKey>(of keys: Key.Type) -> Bool {
        // Most types have fewer fields. Growing the array step by step takes as long as sorting the names.
        if kind == .nothing { parts.reserveCapacity(16) }
        if depth == 0 { keyTypes.append(keys) }
        return become(.fields)
    }

    /// Makes the value a record, an array or another value. Returns `false` if it already has other content.
    func become(_ new: Kind) -> Bool {
        guard kind == .nothing || kind == new && new != .other else { return false }
        kind = new
        return true
    }

    /// Appends a field, or an element, which has no name.
    func append(_ part: Part, _ name: Name = .none) {
        if kind == .fields, let last = parts.last, last.name.order >= name.order { isSorted = false }
        parts.append((name, part))
    }

    /// Returns the value for a nested container. Several containers for one key add to the same value.
    func node(for key: some CodingKey, in run: CodingSession) -> EncodedNode {
        if let node = containers[key.stringValue] { return node }
        let node = run.addNode(depth: depth + 1)
        containers[key.stringValue] = node
        append(node.part, run.encode(nameOf: key))
        return node
    }

    /// The raw value of a `RawRepresentable` type with a synthesized `Codable` conformance, which encodes it as the
    /// only field. It is `nil` if the node is another record, or if the raw value is a record or an array itself.
    func rawValue(in run: CodingSession) -> Range<Int>? {
        guard isKeyed, parts.count == 1, case .value(let value) = parts[0].part, !run.isContainer(value),
            run.withBytes(of: parts[0].name, { name in CodedName.rawValue.withBytes { name.hasSameBytes(as: $0) } })
        else { return nil }
        return value
    }

    // MARK: Fields of the replaced record

    /// Adds the fields of a replaced record that do not belong to the encoded type.
    func keepFields(of old: EncodedRecord, in run: CodingSession) throws(DataStoreError) {
        sort(run)
        let ownCount = parts.count
        var next = 0
        for index in try old.fields() {
            // Both records have their fields in the same order.
            var isBefore: Bool? = true
            while next < ownCount {
                isBefore = run.withBytes(of: parts[next].name) { old.isField(index, before: $0) }
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

    fileprivate func write(_ run: CodingSession, _ encoded: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        switch kind {
        case .nothing: return CBOREncoder.head(.map, 0, &output)
        case .other: break
        case .elements: CBOREncoder.head(.array, UInt64(parts.count), &output)
        case .fields:
            sort(run)
            CBOREncoder.head(.map, UInt64(parts.count), &output)
        }
        for (name, part) in parts {
            if !name.text.isEmpty {
                CBOREncoder.head(.text, UInt64(name.text.count), &output)
                CBOREncoder.append(encoded.extracting(name.text), &output)
            }
            part.write(run, encoded, to: &output)
        }
    }

    /// Sorts the fields in the order of a record. If a type encodes several values for a key, the last one remains.
    private func sort(_ run: CodingSession) {
        if isSorted { return }
        isSorted = true
        parts.sort { left, right in
            guard left.name.order == right.name.order else { return left.name.order < right.name.order }
            // Names were added in the order of their fields.
            return run.precedes(left.name, right.name) ?? (left.name.text.lowerBound < right.name.text.lowerBound)
        }
        var count = 0
        for index in parts.indices {
            if count > 0, run.isSame(parts[count - 1].name, parts[index].name) { count -= 1 }
            parts[count] = parts[index]
            count += 1
        }
        parts.removeLast(parts.count - count)
    }
}
