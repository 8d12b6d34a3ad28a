/// A reader of CBOR that expects one kind of value after another and validates nothing. A store that validates records
/// takes more time.
struct PlainCBOR {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads the head of a value: its major type, and its number, or the number of its bytes, elements or fields.
    @inline(__always)
    private mutating func head() -> (major: UInt8, argument: UInt64) {
        let first = bytes[offset]
        offset += 1
        guard first & 0x1F >= 24 else { return (first >> 5, UInt64(first & 0x1F)) }
        var argument: UInt64 = 0
        for _ in 0..<(1 << (first & 0x1F - 24)) {
            argument = argument << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return (first >> 5, argument)
    }

    /// Reads the number of elements or fields that follow, or an integer that is not negative, or a date.
    @inline(__always)
    mutating func integer() -> Int {
        let (major, argument) = head()
        return major == 6 ? integer() : Int(truncatingIfNeeded: argument)
    }

    @inline(__always)
    mutating func text() -> UnsafeRawBufferPointer {
        let count = Int(truncatingIfNeeded: head().argument)
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    @inline(__always)
    mutating func string() -> String { String(decoding: text(), as: UTF8.self) }

    /// Reads a real of two, four or eight bytes.
    @inline(__always)
    mutating func real() -> Double {
        let size = bytes[offset] & 0x1F
        let bits = head().argument
        return switch size {
        case 25: Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
        case 26: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        default: Double(bitPattern: bits)
        }
    }

    /// Moves past a value.
    @inline(__always)
    mutating func skip() {
        let (major, argument) = head()
        switch major {
        case 2, 3: offset += Int(truncatingIfNeeded: argument)
        case 4: skip(argument)
        case 5: skip(2 * argument)
        case 6: skip(1)
        default: break
        }
    }

    @inline(never)
    private mutating func skip(_ count: UInt64) { for _ in 0..<count { skip() } }
}
