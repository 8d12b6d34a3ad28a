/// A decoder of the objects of a binary property list.
///
/// An object with several references becomes one shared value in memory, but writing or comparing a record visits this
/// value once for each reference. The decoder therefore limits the total number of values in the records of a file. A
/// shared value counts once for each reference.
struct BinaryDecoder {
    /// A decoded value, the number of values in it including itself, and its nesting depth. A value that occurs several
    /// times counts several times. The depth is 0 for a value other than an array or record, and 1 for one without
    /// nested ones.
    private typealias Decoded = (value: Value, count: Int, depth: Int)

    private let reader: BinaryReader
    private var traversal: BinaryTraversal<Decoded>
    private var remainingCount: Int
    /// The texts that were decoded from keys and data, by the numbers of the objects.
    ///
    /// Many dictionaries may refer to one key or one data object. Decoding it for each of them would take time and
    /// memory proportional to the product of their number and its size.
    private var texts: [Int: String?] = [:]

    init(_ reader: BinaryReader) {
        self.reader = reader
        traversal = BinaryTraversal(reader)
        remainingCount = Self.maximumCount(in: reader)
    }

    /// Decodes an object as a value.
    mutating func value(_ number: Int) throws(PropertyListError) -> Value {
        let decoded = try output(of: number)
        try count(decoded.count, at: reader.offsets[number])
        return decoded.value
    }

    private mutating func output(of number: Int) throws(PropertyListError) -> Decoded {
        try traversal.output(of: number) { (object, children) throws(PropertyListError) in
            try Self.decode(object, children, reader, &texts)
        }
    }

    /// Decodes a text object. Throws ``PropertyListError`` if the object is of another kind.
    mutating func text(_ number: Int) throws(PropertyListError) -> String {
        let object = try reader.object(number)
        guard object.kind.isText, case .string(let text) = try output(of: number).value else {
            throw PropertyListError("expected a text", at: object.start)
        }
        return text
    }

    /// Counts values towards the limit of the file. Throws ``PropertyListError`` with the given offset if the limit is
    /// exceeded.
    mutating func count(_ count: Int, at offset: Int) throws(PropertyListError) {
        guard count <= remainingCount else { throw Self.tooManyValues(at: offset, in: reader) }
        remainingCount -= count
    }

    // MARK: Limits

    /// Returns the maximum number of values that the records of a file may contain. A shared value counts once for each
    /// reference.
    ///
    /// Without shared values, a file never exceeds the limit, because each value needs at least one byte for its
    /// reference.
    private static func maximumCount(in reader: BinaryReader) -> Int { max(1 << 16, 2 * reader.bytes.count) }

    private static func tooManyValues(at offset: Int, in reader: BinaryReader) -> PropertyListError {
        let reason = "shared objects unfold to more than \(maximumCount(in: reader)) values"
        return PropertyListError("\(reason), the limit for \(reader.bytes.count) bytes", at: offset)
    }

    // MARK: Decoding

    private static func decode(
        _ object: BinaryObject, _ children: [Decoded], _ reader: BinaryReader, _ texts: inout [Int: String?]
    ) throws(PropertyListError) -> Decoded {
        switch object.kind {
        case .no, .yes: return (.bool(object.kind == .yes), 1, 0)
        case .integer: return (.integer(try reader.integer(object)), 1, 0)
        case .real: return (.real(reader.real(object)), 1, 0)
        case .date:
            guard let date = Timestamp(secondsSince2001: reader.real(object)) else {
                throw PropertyListError("a date is out of range", at: object.start)
            }
            return (.date(date), 1, 0)
        case .data: return (.data(Array(reader.bytes[object.body])), 1, 0)
        case .ascii, .utf16: return (.string(try reader.text(object)), 1, 0)
        case .array: return try container(.array(children.map(\.value)), children, object, reader)
        case .dictionary:
            var entries: [(String, Value)] = []
            entries.reserveCapacity(children.count / 2)
            for (key, child) in zip(children, children[(children.count / 2)...]) {
                // The traversal accepts only text as a key.
                if case .string(let key) = key.value { entries.append((key, child.value)) }
            }
            let value = try Value(propertyListEntries: entries, at: object.start) { index, decode in
                let number = reader.reference(at: object.body.lowerBound + index * reader.referenceByteCount)
                if let text = texts[number] { return text }
                let text = decode()
                texts.updateValue(text, forKey: number)
                return text
            }
            guard case .record = value else { return (value, 1, 0) }
            return try container(value, children, object, reader)
        case .null, .uid, .orderedSet, .set:
            throw PropertyListError("an object of the kind \(object.kind) cannot be a value", at: object.start)
        }
    }

    private static func container(
        _ value: Value, _ children: [Decoded], _ object: BinaryObject, _ reader: BinaryReader
    ) throws(PropertyListError) -> Decoded {
        let maximumCount = maximumCount(in: reader)
        var decoded: Decoded = (value, 1, 1)
        for child in children {
            decoded.count += child.count
            // The limit is checked at each step, so that the sum cannot overflow.
            guard decoded.count <= maximumCount else { throw tooManyValues(at: object.start, in: reader) }
            decoded.depth = max(decoded.depth, child.depth + 1)
        }
        // The record itself does not count as a level.
        guard decoded.depth <= Record.maximumDepth + 1 else {
            throw PropertyListError("values are nested too deep", at: object.start)
        }
        return decoded
    }
}

extension BinaryReader {
    /// Returns the value of an integer object. Throws ``PropertyListError`` if the object is not an integer or its
    /// value does not fit into `Int64`.
    func integer(_ object: BinaryObject) throws(PropertyListError) -> Int64 {
        guard object.kind == .integer else { throw PropertyListError("expected an integer", at: object.start) }
        let low = bits(object.body.suffix(8))
        guard object.body.count == 16 else { return Int64(bitPattern: low) }
        let extent: UInt8 = low >> 63 == 1 ? 0xFF : 0
        guard object.body.prefix(8).allSatisfy({ bytes[$0] == extent }) else {
            throw PropertyListError("an integer exceeds 64 bits with a sign", at: object.start)
        }
        return Int64(bitPattern: low)
    }

    fileprivate func real(_ object: BinaryObject) -> Double {
        object.body.count == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(object.body))))
            : Double(bitPattern: bits(object.body))
    }

    fileprivate func text(_ object: BinaryObject) throws(PropertyListError) -> String {
        let body = bytes[object.body]
        var text: String?
        if object.kind == .ascii {
            if body.allSatisfy({ $0 < 0x80 }) { text = String(decoding: body, as: UTF8.self) }
        } else {
            let units = stride(from: body.startIndex, to: body.endIndex, by: 2).lazy
                .map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            var utf8: [UInt8] = []
            utf8.reserveCapacity(body.count)
            // `String(validating:as:)` takes four times as long.
            let hasError = transcode(units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true) {
                utf8.append($0)
            }
            if !hasError { text = String(decoding: utf8, as: UTF8.self) }
        }
        guard let text else { throw PropertyListError("a text is not Unicode", at: object.start) }
        return text
    }

    private func bits(_ range: Range<Int>) -> UInt64 { range.reduce(0) { $0 << 8 | UInt64(bytes[$1]) } }
}
