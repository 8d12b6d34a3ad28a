@testable import DataStoreCore

/// Creates records from bytes. Each byte selects the next element, so that a change of one byte by libFuzzer changes
/// one thing. After the end all bytes read as zero, which selects the simplest variant of everything.
struct RecordSource {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all bytes have been used.
    var isEmpty: Bool { offset >= bytes.count }

    mutating func byte() -> UInt8 {
        defer { offset += 1 }
        return isEmpty ? 0 : bytes[offset]
    }

    /// Returns a number of the given size in bytes.
    mutating func number(_ byteCount: Int) -> Int { Int(truncatingIfNeeded: bits(byteCount)) }

    /// Returns a record with values of all types.
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

    /// Returns a value inside nested arrays, up to the maximum depth.
    private mutating func nested(depth: Int) -> Value {
        let levels = min(Int(byte()), Record.maximumDepth - depth)
        return (0..<levels).reduce(value(depth: depth + levels)) { value, _ in .array([value]) }
    }

    /// Returns a number of elements: usually a few, sometimes enough for a multi-byte length.
    private mutating func count() -> Int {
        let few = Int(byte() % 32)
        // Elements after the end of the input would all be zero, so the count is limited to the remaining bytes.
        return few < 31 ? few % 8 : min(number(2), bytes.count - min(offset, bytes.count))
    }

    private mutating func name() -> String {
        let text = text()
        return text.isEmpty ? "v" : text
    }

    private mutating func text() -> String { String(decoding: data(), as: UTF8.self) }

    /// Returns the next bytes, or one byte repeated often enough for a multi-byte length. Longer data would dominate
    /// the running time.
    private mutating func data() -> [UInt8] {
        let count = byte()
        if count == 255 { return Array(repeating: byte(), count: number(2) % 1024) }
        return (0..<(count % 64)).map { _ in byte() }
    }

    private mutating func nanoseconds() -> UInt32 { UInt32(number(4) % 1_000_000_000) }

    /// Returns a number of half, single or double precision.
    private mutating func real() -> Double {
        switch byte() % 3 {
        case 0:
            // Half precision: the exponent and ten bits after the leading one.
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
