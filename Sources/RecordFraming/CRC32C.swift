import CRecordFraming

/// The checksum CRC-32C (Castagnoli; RFC 3720, appendix B.4), by the processor's instruction where it has one.
package struct CRC32C {
    /// Creates the checksum of no bytes.
    package init() {}

    private var state: UInt32 = ~0

    /// The checksum of what was added.
    package var value: UInt32 { ~state }

    package mutating func add(_ bytes: Span<UInt8>) {
        if CRC32C.isInHardware {
            // The instruction reads within the span, whose count goes along.
            state = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe up_crc32c_in_hardware(state, buffer.baseAddress, buffer.count)
            }
        } else {
            addByTable(bytes)
        }
    }

    /// The same without the instruction.
    mutating func addByTable(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            state = CRC32C.table[Int(UInt8(truncatingIfNeeded: state) ^ bytes[index])] ^ (state >> 8)
        }
    }

    private static let isInHardware = up_crc32c_is_in_hardware() != 0

    /// What each byte does to the checksum, for the reflected polynomial 0x82F63B78.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
    }
}
