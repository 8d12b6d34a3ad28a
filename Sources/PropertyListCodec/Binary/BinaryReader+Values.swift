import DataStoreCore

extension BinaryReader {
    /// What reading records needs beside the file.
    struct Context {
        /// Texts that have been read: names of fields come again and again.
        fileprivate var texts: [String?]
        /// Data that has been read: some programs write equal ones only once.
        fileprivate var data: [Int: [UInt8]] = [:]
        /// How many more values may be read. Objects may be referred to more than once, and what refers to them, too: a small
        /// file could be unfolded without end.
        fileprivate var remaining: Int

        init(for reader: BinaryReader) {
            texts = Array(repeating: nil, count: reader.offsets.count)
            // Each has a reference of a byte at least.
            remaining = 2 * reader.bytes.count
        }
    }

    /// The keys of a dictionary with the numbers of the objects under them.
    func entries(
        of dictionary: BinaryObject, _ context: inout Context
    ) throws(ParseFailure) -> [(key: String, number: Int)] {
        let references = references(of: dictionary)
        let count = references.count / 2
        var entries: [(key: String, number: Int)] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            entries.append((try text(references[index], &context), references[count + index]))
        }
        return entries
    }

    /// A record.
    func record(_ object: BinaryObject, _ context: inout Context) throws(ParseFailure) -> Record {
        let entries = try values(of: object, &context, depth: 0)
        do {
            return try PlistCoder.record(of: entries)
        } catch {
            throw ParseFailure(reason: error.reason, offset: object.start)
        }
    }

    /// A value. This calls itself, but no deeper than a record may be nested.
    func value(_ number: Int, _ context: inout Context, depth: Int) throws(ParseFailure) -> Value {
        let object = try object(number)
        context.remaining -= 1
        guard context.remaining > 0 else {
            throw ParseFailure(reason: "it refers to the same objects too often", offset: object.start)
        }
        guard depth <= PlistCoder.maximumDepth else {
            throw ParseFailure(reason: "it is nested deeper than a record may be", offset: object.start)
        }
        switch object.kind {
        case .no, .yes: return .bool(object.kind == .yes)
        case .integer: return .integer(try integer(object))
        case .real: return .real(real(object))
        case .date:
            guard let date = PlistDate.timestamp(of: real(object)) else {
                throw ParseFailure(reason: "the date is out of range", offset: object.start)
            }
            return .date(date)
        case .data:
            let data = context.data[number] ?? Array(bytes[object.body])
            context.data[number] = data
            return .data(data)
        case .ascii, .utf16: return .string(try text(number, &context))
        case .array:
            var values: [Value] = []
            for element in references(of: object) { values.append(try value(element, &context, depth: depth + 1)) }
            return .array(values)
        case .dictionary:
            let entries = try values(of: object, &context, depth: depth)
            do {
                return try PlistCoder.value(of: entries)
            } catch {
                throw ParseFailure(reason: error.reason, offset: object.start)
            }
        case .null, .uid, .orderedSet, .set:
            throw ParseFailure(reason: "an object of the kind \(object.kind) is no value", offset: object.start)
        }
    }

    private func values(
        of dictionary: BinaryObject, _ context: inout Context, depth: Int
    ) throws(ParseFailure) -> [(key: String, value: Value)] {
        var values: [(key: String, value: Value)] = []
        for (key, number) in try entries(of: dictionary, &context) {
            values.append((key, try value(number, &context, depth: depth + 1)))
        }
        return values
    }

    // MARK: Scalars

    /// A whole number of at most 64 bits with a sign. Short ones have none.
    func integer(_ object: BinaryObject) throws(ParseFailure) -> Int64 {
        guard object.kind == .integer else {
            throw ParseFailure(reason: "here must be an integer", offset: object.start)
        }
        if object.body.count == 16 {
            let isNegative = bytes[object.body.lowerBound] & 0x80 != 0
            let extent: UInt8 = isNegative ? 0xFF : 0
            let low = bits(object.body.dropFirst(8))
            guard object.body.prefix(8).allSatisfy({ bytes[$0] == extent }), (low >> 63 == 1) == isNegative else {
                throw ParseFailure(reason: "the integer is beyond 64 bits with a sign", offset: object.start)
            }
            return Int64(bitPattern: low)
        }
        return Int64(bitPattern: bits(object.body))
    }

    private func real(_ object: BinaryObject) -> Double {
        object.body.count == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(object.body))))
            : Double(bitPattern: bits(object.body))
    }

    private func bits(_ range: Range<Int>) -> UInt64 { range.reduce(0) { $0 << 8 | UInt64(bytes[$1]) } }

    func text(_ number: Int, _ context: inout Context) throws(ParseFailure) -> String {
        if context.texts.indices.contains(number), let text = context.texts[number] { return text }
        let object = try object(number)
        let text: String?
        switch object.kind {
        case .ascii:
            let isASCII = bytes[object.body].allSatisfy { $0 < 0x80 }
            text = isASCII ? String(decoding: bytes[object.body], as: UTF8.self) : nil
        case .utf16:
            let units = stride(from: object.body.lowerBound, to: object.body.upperBound, by: 2)
                .map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            text = String(validating: units, as: UTF16.self)
        default: throw ParseFailure(reason: "here must be a text", offset: object.start)
        }
        guard let text else { throw ParseFailure(reason: "a text is not Unicode", offset: object.start) }
        context.texts[number] = text
        return text
    }
}
