/// A decoder for the CBOR records that ``CBOREncoder`` writes. Each record has exactly one encoding, and any deviation
/// is rejected, e.g. a longer head than necessary, keys out of order, or bytes after the end.
///
/// The input is not trusted: every access is checked against the bounds of the span, and the allocated memory is
/// limited by the number of bytes.
package enum CBORDecoder {
    /// The reason why bytes are not a record, and the position. It is the cause of the `DataStoreError`.
    package struct Failure: Error, CustomStringConvertible {
        let rule: String
        let offset: Int
        package var description: String { "\(rule) (at byte \(offset) of the CBOR)" }
    }

    /// Decodes bytes that consist of one value. A record at depth 0 is a whole record.
    static func onlyValue(in bytes: Span<UInt8>, depth: Int) throws(DataStoreError) -> Value {
        var offset = 0
        let value = try value(in: bytes, at: &offset, depth: depth)
        guard offset == bytes.count else { throw .noRecord("bytes follow the end", at: offset) }
        return value
    }

    static func value(in bytes: Span<UInt8>, at offset: inout Int, depth: Int) throws(DataStoreError) -> Value {
        let start = offset
        let (major, argument) = try head(in: bytes, at: &offset)
        switch major {
        case .unsigned, .negative: return .integer(try integer(major, argument, at: start))
        case .bytes: return .data(Array(bytes.extracting(try range(argument, in: bytes, at: &offset))))
        case .text: return .string(try text(in: bytes, try range(argument, in: bytes, at: &offset)))
        case .array: return .array(try array(argument, in: bytes, at: &offset, depth: depth + 1))
        case .map: return .record(try map(argument, in: bytes, at: &offset, depth: depth + 1))
        case .tag where argument == CBORTag.sealed:
            return .sealed(Array(bytes.extracting(try sealedBytes(in: bytes, at: &offset))))
        case .tag: return .date(try date(argument, in: bytes, at: &offset))
        case .simple: return try simple(bytes[start] & 0x1F, argument, at: start)
        }
    }

    // MARK: Heads

    /// Returns the major type of a value and its argument, which are the bits of the number if the value is a real.
    /// Moves the offset past them.
    @inline(__always)
    static func head(
        in bytes: Span<UInt8>, at offset: inout Int
    ) throws(DataStoreError) -> (major: CBORMajor, argument: UInt64) {
        guard offset < bytes.count else { throw .noRecord("the record ends too early", at: offset) }
        let (major, info) = (CBORMajor(of: bytes[offset]), bytes[offset] & 0x1F)
        offset &+= 1
        if info < 24 { return (major, UInt64(info)) }
        guard info < 28 else { throw .noRecord("a length is not definite", at: offset - 1) }
        let (start, size) = (offset, 1 &<< Int(info & 3))
        guard bytes.count &- start >= size else { throw .noRecord("the record ends too early", at: start) }
        let argument = bytes.number(at: start, size: size)
        guard argument >= CBORMajor.leastArgument(ofSize: size) || major == .simple else {
            throw .noRecord("a number is not in its shortest form", at: start)
        }
        offset &+= size
        return (major, argument)
    }

    // MARK: Values

    private static func integer(_ major: CBORMajor, _ argument: UInt64, at start: Int) throws(DataStoreError) -> Int64 {
        guard argument <= UInt64(Int64.max) else {
            throw .noRecord("an integer exceeds 64 bits with a sign", at: start)
        }
        return major == .negative ? ~Int64(argument) : Int64(argument)
    }

    private static func simple(_ info: UInt8, _ argument: UInt64, at start: Int) throws(DataStoreError) -> Value {
        let number: Double
        switch info {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 25:
            number = HalfPrecision.number(of: UInt16(truncatingIfNeeded: argument))
            guard !number.isNaN || argument == HalfPrecision.nan else {
                throw .noRecord("a NaN is not f97e00", at: start)
            }
            return .real(number)
        case 26: number = Double(Float(bitPattern: UInt32(truncatingIfNeeded: argument)))
        case 27: number = Double(bitPattern: argument)
        default: throw .noRecord("a simple value is unsupported", at: start)
        }
        guard HalfPrecision.bits(of: number) == nil, info == 26 || Double(Float(number)) != number else {
            throw .noRecord("a real is not in its shortest form", at: start)
        }
        return .real(number)
    }

    @inline(__always)
    static func length(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: Int
    ) throws(DataStoreError) -> Int {
        guard argument <= UInt64(bytes.count - offset) else {
            throw .noRecord("a length extends beyond the end", at: offset)
        }
        return Int(argument)
    }

    /// Returns the range of the bytes of a string, and moves the offset past them.
    @inline(__always)
    static func range(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: inout Int
    ) throws(DataStoreError) -> Range<Int> {
        let count = try length(argument, in: bytes, at: offset)
        defer { offset += count }
        return offset..<(offset + count)
    }

    /// Returns the range of the bytes of a sealed value after its tag, and moves the offset past them.
    static func sealedBytes(in bytes: Span<UInt8>, at offset: inout Int) throws(DataStoreError) -> Range<Int> {
        guard let count = try count(of: .bytes, in: bytes, at: &offset) else {
            throw .noRecord("a sealed value is not bytes", at: offset)
        }
        defer { offset += count }
        return offset..<(offset + count)
    }

    @inline(__always)
    private static func text(in bytes: Span<UInt8>, _ range: Range<Int>) throws(DataStoreError) -> String {
        guard let text = String(utf8: bytes.extracting(range)) else {
            throw .noRecord("a text is not UTF-8", at: range.lowerBound)
        }
        return text
    }

    /// The maximum number of elements or fields for which capacity is reserved before they are decoded. A head may
    /// claim more elements than follow. In nested arrays, such claims could allocate thousands of times the size of a
    /// record.
    private static let reservation = 16

    private static func array(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: inout Int, depth: Int
    ) throws(DataStoreError) -> [Value] {
        try checkDepth(depth, at: offset)
        let count = try length(argument, in: bytes, at: offset)
        var values: [Value] = []
        values.reserveCapacity(min(count, reservation))
        for _ in 0..<count { values.append(try value(in: bytes, at: &offset, depth: depth)) }
        return values
    }

    private static func map(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: inout Int, depth: Int
    ) throws(DataStoreError) -> Record {
        try checkDepth(depth, at: offset)
        let count = try length(argument, in: bytes, at: offset)
        var fields: [Record.Field] = []
        fields.reserveCapacity(min(count, reservation))
        // The range of the previous name. Names are compared as bytes, before they are decoded.
        var previous = offset..<offset
        for _ in 0..<count {
            let start = offset
            let range = try name(in: bytes, at: &offset)
            // The initial range is empty, so an empty first name is rejected, too.
            guard EncodedRecord.isName(bytes.extracting(previous), before: bytes.extracting(range)) else {
                throw .noRecord("keys are not unique and in order", at: start)
            }
            previous = range
            let name = try text(in: bytes, range)
            fields.append(Record.Field(name: name, value: try value(in: bytes, at: &offset, depth: depth)))
        }
        return Record(ordered: fields)
    }

    /// Returns the range of the bytes of a field name, and moves the offset past the name.
    @inline(__always)
    static func name(in bytes: Span<UInt8>, at offset: inout Int) throws(DataStoreError) -> Range<Int> {
        let start = offset
        let (major, argument) = try head(in: bytes, at: &offset)
        guard major == .text else { throw .noRecord("a key is not a text", at: start) }
        return try range(argument, in: bytes, at: &offset)
    }

    static func checkDepth(_ depth: Int, at offset: Int) throws(DataStoreError) {
        // The record itself counts as a level.
        guard depth <= Record.maximumDepth + 1 else { throw .noRecord("the record is nested too deep", at: offset) }
    }

    // MARK: Dates

    static func date(_ tag: UInt64, in bytes: Span<UInt8>, at offset: inout Int) throws(DataStoreError) -> Timestamp {
        let start = offset
        if tag == CBORTag.epochTime, let seconds = try integer(in: bytes, at: &offset) {
            return Timestamp(seconds: seconds)
        }
        guard tag == CBORTag.extendedTime, try count(of: .map, in: bytes, at: &offset) == 2 else {
            throw .noRecord("a tag is unsupported", at: start)
        }
        guard try integer(in: bytes, at: &offset) == CBORTag.secondsKey,
            let seconds = try integer(in: bytes, at: &offset),
            try integer(in: bytes, at: &offset) == CBORTag.nanosecondsKey,
            let nanoseconds = try integer(in: bytes, at: &offset).flatMap({ UInt32(exactly: $0) }), nanoseconds > 0,
            let date = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        else { throw .noRecord("a date is not seconds and nanoseconds", at: start) }
        return date
    }

    /// Decodes an integer and moves the offset past it. Returns `nil` if the value is not an integer.
    static func integer(in bytes: Span<UInt8>, at offset: inout Int) throws(DataStoreError) -> Int64? {
        var next = offset
        let (major, argument) = try head(in: bytes, at: &next)
        guard major == .unsigned || major == .negative else { return nil }
        let number = try integer(major, argument, at: offset)
        offset = next
        return number
    }

    /// Decodes a date and moves the offset past it. Returns `nil` if the value is not a date.
    static func dateIfPresent(in bytes: Span<UInt8>, at offset: inout Int) throws(DataStoreError) -> Timestamp? {
        var next = offset
        let (major, argument) = try head(in: bytes, at: &next)
        guard major == .tag, argument != CBORTag.sealed else { return nil }
        let date = try date(argument, in: bytes, at: &next)
        offset = next
        return date
    }
}
