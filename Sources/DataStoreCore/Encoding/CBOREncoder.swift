/// An encoder of records as deterministic CBOR (RFC 8949, section 4.2.1). Equal records have equal bytes.
///
/// | value | CBOR |
/// | --- | --- |
/// | string, data | text string, byte string |
/// | integer | unsigned or negative integer in its shortest form |
/// | real | half, single or double precision, the shortest that preserves the value; every NaN as `f97e00` |
/// | bool | `true`, `false` |
/// | date | tag 1 and the seconds; with nanoseconds tag 1001 (RFC 9581) and `{1: seconds, -9: nanoseconds}` |
/// | sealed | tag 54762 and a byte string |
/// | array, record | array; map whose text keys have the order of a record's fields: by length, then by bytes |
package enum CBOREncoder {
    /// Returns an upper bound for the number of bytes of an encoded record.
    package static func maximumByteCount(of record: Record) -> Int {
        record.withFields { fields in
            var byteCount = maximumHeadCount
            for index in fields.indices {
                byteCount += maximumHeadCount + fields[index].name.utf8.count
                // Most values are strings. They are measured here, because passing a value to a function copies it.
                if case .string(let text) = fields[index].value {
                    byteCount += maximumHeadCount + text.utf8.count
                } else {
                    byteCount += maximumByteCount(of: fields[index].value)
                }
            }
            return byteCount
        }
    }

    static func maximumByteCount(of value: Value) -> Int {
        switch value {
        case .string(let text): maximumHeadCount + text.utf8.count
        case .integer, .real, .bool: maximumHeadCount
        // A tag, a map, and two pairs of a key and a number.
        case .date: 6 * maximumHeadCount
        case .data(let data): maximumHeadCount + data.count
        case .sealed(let bytes): 2 * maximumHeadCount + bytes.count
        case .array(let values): values.reduce(maximumHeadCount) { $0 + maximumByteCount(of: $1) }
        case .record(let record): maximumByteCount(of: record)
        }
    }

    /// The number of bytes of a major type and its longest argument.
    package static let maximumHeadCount = 9

    /// Appends the encoded record. The output needs the capacity that ``maximumByteCount(of:)-(Record)`` returns.
    package static func encode(_ record: Record, to output: inout OutputSpan<UInt8>) {
        record.withFields { fields in
            head(.map, UInt64(fields.count), &output)
            for index in fields.indices {
                encode(fields[index].name, &output)
                if case .string(let text) = fields[index].value {
                    encode(text, &output)
                } else {
                    encode(fields[index].value, &output)
                }
            }
        }
    }

    static func encode(_ value: Value, _ output: inout OutputSpan<UInt8>) {
        switch value {
        case .string(let text): encode(text, &output)
        case .integer(let number): encode(number, &output)
        case .real(let number): encode(number, &output)
        case .bool(let flag): output.append(CBORMajor.simple.initialByte | (flag ? 21 : 20))
        case .date(let date): encode(date, &output)
        case .data(let data): encode(data, &output)
        case .sealed(let bytes):
            head(.tag, CBORTag.sealed, &output)
            encode(bytes, &output)
        case .array(let values):
            head(.array, UInt64(values.count), &output)
            for value in values { encode(value, &output) }
        case .record(let record): encode(record, to: &output)
        }
    }

    package static func encode(_ text: String, _ output: inout OutputSpan<UInt8>) {
        let count = text.utf8.count
        head(.text, UInt64(count), &output)
        unsafe append(count, &output) { unsafe text.copyBytes(to: $0) }
    }

    private static func encode(_ data: [UInt8], _ output: inout OutputSpan<UInt8>) {
        head(.bytes, UInt64(data.count), &output)
        unsafe append(data.count, &output) { memory in unsafe memory.copyBytes(from: data) }
    }

    private static func encode(_ number: Int64, _ output: inout OutputSpan<UInt8>) {
        // CBOR represents the number -1 - n by n.
        head(number < 0 ? .negative : .unsigned, UInt64(number < 0 ? ~number : number), &output)
    }

    private static func encode(_ date: Timestamp, _ output: inout OutputSpan<UInt8>) {
        guard date.nanoseconds > 0 else {
            head(.tag, CBORTag.epochTime, &output)
            return encode(date.seconds, &output)
        }
        head(.tag, CBORTag.extendedTime, &output)
        head(.map, 2, &output)
        encode(CBORTag.secondsKey, &output)
        encode(date.seconds, &output)
        encode(CBORTag.nanosecondsKey, &output)
        encode(Int64(date.nanoseconds), &output)
    }

    private static func encode(_ number: Double, _ output: inout OutputSpan<UInt8>) {
        let single = Float(number)
        if let half = HalfPrecision.bits(of: number) {
            append(.simple, half, &output)
        } else if Double(single) == number {
            append(.simple, single.bitPattern, &output)
        } else {
            append(.simple, number.bitPattern, &output)
        }
    }

    /// Appends a major type and its argument in the shortest form.
    @inline(__always)
    package static func head(_ major: CBORMajor, _ argument: UInt64, _ output: inout OutputSpan<UInt8>) {
        if argument < 24 {
            output.append(major.initialByte | UInt8(argument))
        } else {
            longHead(major, argument, &output)
        }
    }

    private static func longHead(_ major: CBORMajor, _ argument: UInt64, _ output: inout OutputSpan<UInt8>) {
        switch argument {
        case ..<0x100:
            output.append(major.initialByte | 24)
            output.append(UInt8(argument))
        case ..<0x1_0000: append(major, UInt16(argument), &output)
        case ..<0x1_0000_0000: append(major, UInt32(argument), &output)
        default: append(major, argument, &output)
        }
    }

    /// Appends encoded bytes.
    package static func append(_ bytes: Span<UInt8>, _ output: inout OutputSpan<UInt8>) {
        unsafe append(bytes.count, &output) { memory in
            unsafe bytes.withUnsafeBytes { bytes in unsafe memory.copyMemory(from: bytes) }
        }
    }

    /// Appends the initial byte of a number, which states its size, and the number.
    @inline(__always)
    private static func append(
        _ major: CBORMajor, _ number: some FixedWidthInteger, _ output: inout OutputSpan<UInt8>
    ) {
        // 25 for two bytes, 26 for four, and 27 for eight.
        output.append(major.initialByte + 21 + UInt8(number.bitWidth.trailingZeroBitCount))
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            output.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Appends `count` bytes. The closure `copy` copies them to the memory that it receives, which is faster than
    /// appending each byte.
    @inline(__always)
    package static func append(
        _ count: Int, _ output: inout OutputSpan<UInt8>, _ copy: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        precondition(count <= output.freeCapacity, "the buffer for an encoded record is too small")
        unsafe output.withUnsafeMutableBufferPointer { buffer, initializedCount in
            let end = initializedCount + count
            let free = UnsafeMutableRawBufferPointer(buffer)
            unsafe copy(UnsafeMutableRawBufferPointer(rebasing: free[initializedCount..<end]))
            initializedCount = end
        }
    }
}
