import DataStoreCore

/// An encoder of records as deterministic CBOR (RFC 8949, section 4.2.1). Equal records have equal bytes.
///
/// | value | CBOR |
/// | --- | --- |
/// | string, data | text string, byte string |
/// | integer | unsigned or negative integer in its shortest form |
/// | real | half, single or double precision, the shortest that preserves the value; every NaN as `f97e00` |
/// | bool | `true`, `false` |
/// | date | tag 1 and the seconds; with nanoseconds tag 1001 (RFC 9581) and `{1: seconds, -9: nanoseconds}` |
/// | array, record | array; map of text keys by length, then bytes, which is the order of a record's fields |
struct CBOREncoder {
    private var bytes: [UInt8]

    /// Appends the encoded record to an array of bytes.
    static func append(_ record: Record, to bytes: inout [UInt8]) {
        // The array is moved in and out, so that it is not copied.
        var encoder = CBOREncoder(bytes: bytes)
        bytes = []
        encoder.encode(record)
        bytes = encoder.bytes
    }

    private mutating func encode(_ record: Record) {
        head(.map, UInt64(record.count))
        // A loop over fields would retain and release each field.
        for index in record.indices {
            encode(record[index].name)
            encode(record[index].value)
        }
    }

    private mutating func encode(_ value: Value) {
        switch value {
        case .string(let text): encode(text)
        case .integer(let number): encode(number)
        case .real(let number): encode(number)
        case .bool(let flag): bytes.append(CBORMajor.simple.initialByte | (flag ? 21 : 20))
        case .date(let date): encode(date)
        case .data(let data):
            head(.bytes, UInt64(data.count))
            bytes += data
        case .array(let values):
            head(.array, UInt64(values.count))
            for value in values { encode(value) }
        case .record(let record): encode(record)
        }
    }

    private mutating func encode(_ text: String) {
        head(.text, UInt64(text.utf8.count))
        // Appending a buffer copies it at once.
        let appended: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { buffer in
            unsafe bytes.append(contentsOf: buffer)
        }
        if appended == nil { bytes += text.utf8 }
    }

    private mutating func encode(_ number: Int64) {
        if number >= 0 { head(.unsigned, UInt64(number)) } else { head(.negative, UInt64(bitPattern: ~number)) }
    }

    private mutating func encode(_ date: Timestamp) {
        guard date.nanoseconds > 0 else {
            head(.tag, CBORTag.epochTime)
            return encode(date.seconds)
        }
        head(.tag, CBORTag.extendedTime)
        head(.map, 2)
        encode(CBORTag.secondsKey)
        encode(date.seconds)
        encode(CBORTag.nanosecondsKey)
        encode(Int64(date.nanoseconds))
    }

    private mutating func encode(_ number: Double) {
        let single = Float(number)
        if let half = HalfPrecision.bits(of: number) {
            bytes.append(CBORMajor.simple.initialByte | 25)
            append(half)
        } else if Double(single) == number {
            bytes.append(CBORMajor.simple.initialByte | 26)
            append(single.bitPattern)
        } else {
            bytes.append(CBORMajor.simple.initialByte | 27)
            append(number.bitPattern)
        }
    }

    /// Appends a major type and its argument in the shortest form.
    private mutating func head(_ major: CBORMajor, _ argument: UInt64) {
        switch argument {
        case ..<24: bytes.append(major.initialByte | UInt8(argument))
        case ..<0x100:
            bytes.append(major.initialByte | 24)
            bytes.append(UInt8(argument))
        case ..<0x1_0000:
            bytes.append(major.initialByte | 25)
            append(UInt16(argument))
        case ..<0x1_0000_0000:
            bytes.append(major.initialByte | 26)
            append(UInt32(argument))
        default:
            bytes.append(major.initialByte | 27)
            append(argument)
        }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
