import DataStoreCore

/// Makes records of bytes: each byte decides about what comes next, so that libFuzzer, which changes bytes, changes one
/// thing at a time. Behind the end there are only zeros, which make the simplest of everything.
struct RecordSource {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all bytes were used.
    var isEmpty: Bool { offset >= bytes.count }

    mutating func byte() -> UInt8 {
        defer { offset += 1 }
        return isEmpty ? 0 : bytes[offset]
    }

    /// A number of so many bytes.
    mutating func number(_ byteCount: Int) -> Int { Int(truncatingIfNeeded: bits(byteCount)) }

    /// A record with values of any kind.
    mutating func record() -> Record { record(depth: 0) }

    private mutating func record(depth: Int) -> Record {
        var record = Record()
        for _ in 0..<count() { record[name()] = value(depth: depth) }
        return record
    }

    private mutating func value(depth: Int) -> Value {
        let kind = byte() % 12
        switch kind {
        case 0: return .bool(false)
        case 1: return .bool(true)
        case 2: return .integer(Int64(number(1 + Int(byte() % 8))))
        case 3: return .integer(~Int64(number(1 + Int(byte() % 8))))
        case 4: return .real(real())
        case 5: return .date(Timestamp(seconds: Int64(number(8))))
        case 6: return .date(Timestamp(seconds: Int64(number(4)), nanoseconds: nanoseconds()) ?? Timestamp(seconds: 0))
        case 7: return .string(text())
        case 8: return .data(data())
        case 9 where depth < Record.maximumDepth: return .array((0..<count()).map { _ in value(depth: depth + 1) })
        case 10 where depth < Record.maximumDepth: return .record(record(depth: depth + 1))
        case 11: return nested(depth: depth)
        default: return .data([kind])
        }
    }

    /// A value in many arrays, as deep as they may be nested.
    private mutating func nested(depth: Int) -> Value {
        let levels = min(Int(byte()), Record.maximumDepth - depth)
        return (0..<levels).reduce(value(depth: depth + levels)) { value, _ in .array([value]) }
    }

    /// Mostly few, now and then enough for a longer head.
    private mutating func count() -> Int {
        let few = Int(byte() % 32)
        // Nobody needs elements of zeros only.
        return few < 31 ? few % 8 : min(number(2), bytes.count - min(offset, bytes.count))
    }

    private mutating func name() -> String {
        let text = text()
        return text.isEmpty ? "v" : text
    }

    private mutating func text() -> String { String(decoding: data(), as: UTF8.self) }

    /// The next bytes, or one of them as often as needs a longer head. (Longer ones still take all the time.)
    private mutating func data() -> [UInt8] {
        let count = byte()
        if count == 255 { return Array(repeating: byte(), count: number(2) % 1024) }
        return (0..<(count % 64)).map { _ in byte() }
    }

    private mutating func nanoseconds() -> UInt32 { UInt32(number(4) % 1_000_000_000) }

    /// Numbers of all precisions.
    private mutating func real() -> Double {
        switch byte() % 3 {
        case 0:
            // Half precision: the exponent and ten bits behind the leading one.
            let bits = number(2)
            let number = Double(bits & 0x3FF | 0x400) * (bits & 0x8000 == 0 ? 1 : -1)
            return number * Double(sign: .plus, exponent: bits >> 10 & 0x1F - 25, significand: 1)
        case 1: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(4))))
        default: return Double(bitPattern: bits(8))
        }
    }

    private mutating func bits(_ byteCount: Int) -> UInt64 {
        (0..<byteCount).reduce(0) { bits, _ in bits << 8 | UInt64(byte()) }
    }
}
