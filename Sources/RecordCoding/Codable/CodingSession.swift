/// The state that all coders of one encoding or decoding call share.
///
/// Only one task uses it.
final class CodingSession {
    /// The maximum depth of nested values. The limit bounds the use of the stack, because each level is a nested call.
    ///
    /// The limit exceeds the maximum depth of a record, because a type that encodes as a single value adds a level here
    /// but none to the record.
    static let maximumLevel = 4 * Record.maximumDepth

    let userInfo: [CodingUserInfoKey: any Sendable]

    /// The first error in the creation of an encoding container, or `nil` if no error has occurred. The functions that
    /// create containers cannot throw, so the encoder throws the error when `encode(to:)` returns.
    private(set) var misuse: (any Error)?

    /// The latest error, and the path of the innermost value whose coding has thrown it. It is the path in the
    /// `FieldError` if the error has no coding path of its own.
    private var origin: (error: String, path: [any CodingKey])?

    /// The CBOR of the plain values and the names of the fields that have been encoded so far.
    ///
    /// - Safety: No access calls back into this object, so accesses do not overlap.
    @safe @exclusivity(unchecked) private(set) var encoded: [UInt8] = []

    /// The number of names, arrays and records, whose heads are not in ``encoded``.
    @safe @exclusivity(unchecked) private var headCount = 0

    /// A coding key that is one byte, e.g. a case of an enumeration, and the numbers of its name. A key always has the
    /// same name.
    private struct Key {
        let type: ObjectIdentifier
        let byte: UInt8
        let name: (order: UInt64, end: UInt64)
    }

    /// The coding keys of the record before, in the order in which its type looked them up. The array is empty during
    /// the first record, which may be the only one.
    ///
    /// - Safety: No access calls back into this object, so accesses do not overlap.
    @safe @exclusivity(unchecked) private var keys: [Key] = []

    /// The number of coding keys that were looked up in this record, or `nil` if it is the first one.
    @safe @exclusivity(unchecked) private var keyCount: Int?

    init(userInfo: [CodingUserInfoKey: any Sendable]) { self.userInfo = userInfo }

    /// The maximum number of bytes of the encoded record or value.
    var maximumByteCount: Int { encoded.count + headCount * CBOREncoder.maximumHeadCount }

    /// The arrays and records that have been encoded so far.
    ///
    /// - Safety: As above.
    @safe @exclusivity(unchecked) private(set) var nodes: [EncodedNode] = []

    /// Adds an array or a record, which as many other ones contain.
    func addNode(depth: Int) -> EncodedNode {
        headCount += 1
        let node = EncodedNode(number: nodes.count, depth: depth)
        nodes.append(node)
        return node
    }

    /// Allocates memory that suffices for most records.
    func reserveCapacity() { encoded.reserveCapacity(512) }

    /// Encodes a plain value, and returns the range of its CBOR.
    @inline(__always)
    func encode(_ value: some StoredForm) -> Range<Int> {
        let start = encoded.count
        _ = value.append(to: &encoded)
        return start..<encoded.count
    }

    /// Encodes a value in its stored form. Returns `nil` if its Codable form must be stored.
    func encode<Content>(storedFormOf content: Content) -> Range<Int>? {
        let start = encoded.count
        guard let form = StoredForms.of(Content.self), form.append(content, to: &encoded) else { return nil }
        return start..<encoded.count
    }

    /// Appends the name of the field in which the value of a coding key is stored.
    func encode(nameOf key: some CodingKey) -> EncodedNode.Name { encode(name: CodedName.field(of: key)) }

    /// Appends the name of a field.
    func encode(name: String) -> EncodedNode.Name {
        headCount += 1
        let start = encoded.count
        encoded.append(contentsOf: name.utf8)
        return EncodedNode.Name(order: FieldName(name).order, text: start..<encoded.count)
    }

    /// Passes the UTF-8 bytes of a name to a closure.
    func withBytes<Result>(of name: EncodedNode.Name, _ body: (Span<UInt8>) -> Result) -> Result {
        let encoded = encoded
        return body(encoded.span.extracting(name.text))
    }

    /// Returns whether a name comes before another one in the order of a record's fields, or `nil` if both are equal.
    func precedes(_ name: EncodedNode.Name, _ other: EncodedNode.Name) -> Bool? {
        if name.text.count != other.text.count { return name.text.count < other.text.count }
        let encoded = encoded
        let left = encoded.span.extracting(name.text)
        let right = encoded.span.extracting(other.text)
        return left.hasSameBytes(as: right) ? nil : left.precedes(right)
    }

    /// Returns whether two names are equal.
    func isSame(_ name: EncodedNode.Name, _ other: EncodedNode.Name) -> Bool {
        name.order == other.order && precedes(name, other) == nil
    }

    /// Begins to decode another record of the same type.
    func beginNextRecord() { keyCount = 0 }

    /// Returns the numbers of the name of a coding key, or `nil` if they are not known.
    ///
    /// A decoder looks up the keys of each entity of a type in the same order, so the name of a key is known from the
    /// entity before. Creating a name takes longer than finding its field.
    func knownName(of type: any Any.Type, _ byte: UInt8) -> (order: UInt64, end: UInt64)? {
        guard let index = keyCount, index < keys.count, keys[index].byte == byte,
            keys[index].type == ObjectIdentifier(type)
        else { return nil }
        keyCount = index &+ 1
        return keys[index].name
    }

    /// Notes the name of a coding key whose name was not known.
    func note(_ name: Span<UInt8>, of type: any Any.Type, _ byte: UInt8) {
        // The limits bound the use of memory.
        guard let index = keyCount, index < 64, name.count < 16 else { return }
        keys.removeSubrange(index...)
        keys.append(Key(type: ObjectIdentifier(type), byte: byte, name: FieldName.numbers(of: name)))
        keyCount = index + 1
    }

    /// Appends an encoded value, and returns the range of its CBOR.
    func keep(_ cbor: [UInt8]) -> Range<Int> {
        encoded += cbor
        return encoded.count - cbor.count..<encoded.count
    }

    /// Returns whether an encoded value is an array or a record.
    func isContainer(_ value: Range<Int>) -> Bool { [.array, .map].contains(CBORMajor(of: encoded[value.lowerBound])) }

    /// Records an error in the creation of a container, unless one is already recorded.
    func note(misuse error: any Error) { misuse = misuse ?? error }

    /// Records the path of an error, unless an inner value has thrown the same error.
    func note(_ error: any Error, at coder: Coder) {
        let text = "\(error)"
        if origin?.error != text { origin = (text, coder.codingPath) }
    }

    /// Discards the recorded path after a type has caught the error and continued.
    func noteSuccess() { if origin != nil { origin = nil } }

    /// Converts an error of a coder, or of a type's `encode(to:)` or `init(from:)`, to a `FieldError` with the path of
    /// the field.
    func fieldError(_ error: any Error) -> FieldError {
        switch error {
        case let error as FieldError: error
        case let error as DecodingError: FieldError(error)
        case let error as EncodingError: FieldError(error)
        default: FieldError(PathKey.text(origin?.path ?? []), "is rejected: \(error)", underlying: error)
        }
    }
}

extension FieldError {
    fileprivate init(_ error: DecodingError) {
        func field(_ keys: [any CodingKey], _ reason: String) -> FieldError {
            FieldError(PathKey.text(keys), reason, underlying: error)
        }
        self =
            switch error {
            case .keyNotFound(let key, let context):
                field(
                    context.codingPath + [key],
                    "is missing; if older records lack it, make it optional or give it a default in init(from:)")
            case .valueNotFound(let type, let context):
                field(context.codingPath, "has no value, expected \(type): \(context.debugDescription)")
            case .typeMismatch(let type, let context):
                field(context.codingPath, "is not of type \(type): \(context.debugDescription)")
            case .dataCorrupted(let context):
                field(context.codingPath, "is rejected: \(context.debugDescription)")
            @unknown default:
                field([], "is rejected: \(error)")
            }
    }

    fileprivate init(_ error: EncodingError) {
        switch error {
        case .invalidValue(_, let context):
            self.init(
                PathKey.text(context.codingPath), "cannot be encoded: \(context.debugDescription)", underlying: error)
        @unknown default:
            self.init("", "cannot be encoded: \(error)", underlying: error)
        }
    }
}
