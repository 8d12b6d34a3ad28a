/// A decoder for the CBOR records that ``CBOREncoder`` writes. Each record has exactly one encoding, and any deviation
/// is rejected, e.g. a longer head than necessary, keys out of order, or bytes after the end.
///
/// The input is not trusted: every access is checked against the bounds of the span, and the allocated memory is
/// limited by the number of bytes.
package enum CBORDecoder {
    /// An error which states that bytes are not a record, with the reason and the position.
    package struct Failure: Error, CustomStringConvertible {
        let rule: String
        let offset: Int
        package var description: String { "\(rule) (at byte \(offset) of the CBOR)" }
    }

    static func value(in bytes: Span<UInt8>, at offset: inout Int, depth: Int) throws(Failure) -> Value {
        let start = offset
        let (major, info) = try initialByte(in: bytes, at: &offset)
        if major == .simple { return try simple(info, in: bytes, at: &offset) }
        let argument = try argument(info, in: bytes, at: &offset)
        switch major {
        case .unsigned, .negative: return .integer(try integer(major, argument, at: start))
        case .bytes: return .data(Array(bytes.extracting(try range(argument, in: bytes, at: &offset))))
        case .text: return .string(try text(argument, in: bytes, at: &offset))
        case .array: return .array(try array(argument, in: bytes, at: &offset, depth: depth + 1))
        case .map: return .record(try map(argument, in: bytes, at: &offset, depth: depth + 1))
        case .tag where argument == CBORTag.sealed:
            return .sealed(Array(bytes.extracting(try sealedBytes(in: bytes, at: &offset))))
        case .tag: return .date(try date(argument, in: bytes, at: &offset))
        case .simple: throw Failure(rule: "a simple value is unsupported", offset: start)
        }
    }

    // MARK: Heads

    @inline(__always)
    static func initialByte(
        in bytes: Span<UInt8>, at offset: inout Int
    ) throws(Failure) -> (major: CBORMajor, info: UInt8) {
        guard offset < bytes.count else { throw Failure(rule: "the record ends too early", offset: offset) }
        let byte = bytes[offset]
        offset &+= 1
        return (CBORMajor(of: byte), byte & 0x1F)
    }

    @inline(__always)
    static func argument(
        _ info: UInt8, in bytes: Span<UInt8>, at offset: inout Int
    ) throws(Failure) -> UInt64 {
        let start = offset
        let (argument, least): (UInt64, UInt64)
        switch info {
        case ..<24: return UInt64(info)
        case 24: (argument, least) = (UInt64(try bigEndian(UInt8.self, in: bytes, at: &offset)), 24)
        case 25: (argument, least) = (UInt64(try bigEndian(UInt16.self, in: bytes, at: &offset)), 0x100)
        case 26: (argument, least) = (UInt64(try bigEndian(UInt32.self, in: bytes, at: &offset)), 0x1_0000)
        case 27: (argument, least) = (try bigEndian(UInt64.self, in: bytes, at: &offset), 0x1_0000_0000)
        default: throw Failure(rule: "a length is not definite", offset: start - 1)
        }
        guard argument >= least else { throw Failure(rule: "a number is not in its shortest form", offset: start) }
        return argument
    }

    /// Returns the number that is stored in the next bytes, the highest byte first.
    @inline(__always)
    static func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, in bytes: Span<UInt8>, at offset: inout Int
    ) throws(Failure) -> Number {
        guard bytes.count &- offset >= MemoryLayout<Number>.size else {
            throw Failure(rule: "the record ends too early", offset: offset)
        }
        // The load ends within the span.
        defer { offset &+= MemoryLayout<Number>.size }
        return Number(
            bigEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Number.self))
    }

    // MARK: Values

    private static func integer(_ major: CBORMajor, _ argument: UInt64, at start: Int) throws(Failure) -> Int64 {
        guard argument <= UInt64(Int64.max) else {
            throw Failure(rule: "an integer exceeds 64 bits with a sign", offset: start)
        }
        return major == .negative ? ~Int64(argument) : Int64(argument)
    }

    private static func simple(
        _ info: UInt8, in bytes: Span<UInt8>, at offset: inout Int
    ) throws(Failure) -> Value {
        let start = offset - 1
        let number: Double
        switch info {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 25:
            let bits = try bigEndian(UInt16.self, in: bytes, at: &offset)
            number = HalfPrecision.number(of: bits)
            guard !number.isNaN || bits == HalfPrecision.nan else {
                throw Failure(rule: "a NaN is not f97e00", offset: start)
            }
            return .real(number)
        case 26:
            number = Double(Float(bitPattern: try bigEndian(UInt32.self, in: bytes, at: &offset)))
            guard HalfPrecision.bits(of: number) == nil else { break }
            return .real(number)
        case 27:
            number = Double(bitPattern: try bigEndian(UInt64.self, in: bytes, at: &offset))
            guard HalfPrecision.bits(of: number) == nil, Double(Float(number)) != number else { break }
            return .real(number)
        default: throw Failure(rule: "a simple value is unsupported", offset: start)
        }
        throw Failure(rule: "a real is not in its shortest form", offset: start)
    }

    @inline(__always)
    static func length(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: Int
    ) throws(Failure) -> Int {
        guard argument <= UInt64(bytes.count - offset) else {
            throw Failure(rule: "a length extends beyond the end", offset: offset)
        }
        return Int(argument)
    }

    /// Returns the range of the bytes of a string, and moves the offset past them.
    @inline(__always)
    private static func range(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: inout Int
    ) throws(Failure) -> Range<Int> {
        let count = try length(argument, in: bytes, at: offset)
        defer { offset += count }
        return offset..<(offset + count)
    }

    /// Returns the range of the bytes of a sealed value after its tag, and moves the offset past them.
    static func sealedBytes(in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) -> Range<Int> {
        guard let count = try count(of: .bytes, in: bytes, at: &offset) else {
            throw Failure(rule: "a sealed value is not bytes", offset: offset)
        }
        defer { offset += count }
        return offset..<(offset + count)
    }

    @inline(__always)
    static func text(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: inout Int
    ) throws(Failure) -> String {
        let range = try range(argument, in: bytes, at: &offset)
        guard let text = String(utf8: bytes.extracting(range)) else {
            throw Failure(rule: "a text is not UTF-8", offset: range.lowerBound)
        }
        return text
    }

    /// The maximum number of elements or fields for which capacity is reserved before they are decoded. A head may
    /// claim more elements than follow. In nested arrays, such claims could allocate thousands of times the size of a
    /// record.
    private static let reservation = 16

    private static func array(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: inout Int, depth: Int
    ) throws(Failure) -> [Value] {
        try checkDepth(depth, at: offset)
        let count = try length(argument, in: bytes, at: offset)
        var values: [Value] = []
        values.reserveCapacity(min(count, reservation))
        for _ in 0..<count { values.append(try value(in: bytes, at: &offset, depth: depth)) }
        return values
    }

    private static func map(
        _ argument: UInt64, in bytes: Span<UInt8>, at offset: inout Int, depth: Int
    ) throws(Failure) -> Record {
        try checkDepth(depth, at: offset)
        let count = try length(argument, in: bytes, at: offset)
        var fields: [Record.Field] = []
        fields.reserveCapacity(min(count, reservation))
        // The range of the previous name. Names are compared as bytes, before they are decoded.
        var previous = offset..<offset
        for _ in 0..<count {
            let start = offset
            let nameRange = try name(in: bytes, at: &offset)
            let nameBytes = bytes.extracting(nameRange)
            // The initial range is empty, so an empty first name is rejected, too.
            guard EncodedRecord.isName(bytes.extracting(previous), before: nameBytes) else {
                throw Failure(rule: "keys are not unique and in order", offset: start)
            }
            guard let name = String(utf8: nameBytes) else {
                throw Failure(rule: "a text is not UTF-8", offset: nameRange.lowerBound)
            }
            previous = nameRange
            let value = try value(in: bytes, at: &offset, depth: depth)
            fields.append(Record.Field(name: name, isASCII: nameBytes.isASCII, value: value))
        }
        return Record(ordered: fields)
    }

    /// Returns the range of the bytes of a field name, and moves the offset past the name.
    @inline(__always)
    static func name(in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) -> Range<Int> {
        let start = offset
        let (major, info) = try initialByte(in: bytes, at: &offset)
        guard major == .text else { throw Failure(rule: "a key is not a text", offset: start) }
        // For names of less than 24 bytes, which are the most frequent, `info` is the length.
        let argument = info < 24 ? UInt64(info) : try argument(info, in: bytes, at: &offset)
        return try range(argument, in: bytes, at: &offset)
    }

    static func checkDepth(_ depth: Int, at offset: Int) throws(Failure) {
        // The record itself counts as a level.
        guard depth <= Record.maximumDepth + 1 else {
            throw Failure(rule: "the record is nested too deep", offset: offset)
        }
    }

    // MARK: Dates

    static func date(
        _ tag: UInt64, in bytes: Span<UInt8>, at offset: inout Int
    ) throws(Failure) -> Timestamp {
        let start = offset
        if tag == CBORTag.epochTime { return Timestamp(seconds: try integer(in: bytes, at: &offset)) }
        guard tag == CBORTag.extendedTime, offset < bytes.count,
            bytes[offset] == CBORMajor.map.initialByte | 2
        else { throw Failure(rule: "a tag is unsupported", offset: start) }
        offset += 1
        let secondsKey = try integer(in: bytes, at: &offset)
        let seconds = try integer(in: bytes, at: &offset)
        let nanosecondsKey = try integer(in: bytes, at: &offset)
        guard secondsKey == CBORTag.secondsKey, nanosecondsKey == CBORTag.nanosecondsKey,
            let nanoseconds = UInt32(exactly: try integer(in: bytes, at: &offset)), nanoseconds > 0,
            let date = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        else { throw Failure(rule: "a date is not seconds and nanoseconds", offset: start) }
        return date
    }

    /// Decodes an integer and moves the offset past it.
    static func integer(in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) -> Int64 {
        guard let number = try integerIfPresent(in: bytes, at: &offset) else {
            throw Failure(rule: "an integer is expected", offset: offset)
        }
        return number
    }

    /// Decodes an integer and moves the offset past it. Returns `nil` if the value is not an integer.
    static func integerIfPresent(in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) -> Int64? {
        var next = offset
        let (major, info) = try initialByte(in: bytes, at: &next)
        guard major == .unsigned || major == .negative else { return nil }
        let number = try integer(major, try argument(info, in: bytes, at: &next), at: offset)
        offset = next
        return number
    }

    /// Decodes a real and moves the offset past it. Returns `nil` if the value is not a real.
    static func realIfPresent(in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) -> Double? {
        guard offset < bytes.count, bytes[offset] > CBORMajor.simple.initialByte | 24 else { return nil }
        var next = offset + 1
        let value = try simple(bytes[offset] & 0x1F, in: bytes, at: &next)
        offset = next
        return if case .real(let number) = value { number } else { nil }
    }

    /// Decodes a date and moves the offset past it. Returns `nil` if the value is not a date.
    static func dateIfPresent(in bytes: Span<UInt8>, at offset: inout Int) throws(Failure) -> Timestamp? {
        var next = offset
        let (major, info) = try initialByte(in: bytes, at: &next)
        guard major == .tag else { return nil }
        let tag = try argument(info, in: bytes, at: &next)
        if tag == CBORTag.sealed { return nil }
        let date = try date(tag, in: bytes, at: &next)
        offset = next
        return date
    }
}
