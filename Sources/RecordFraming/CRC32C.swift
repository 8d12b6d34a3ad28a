import CDataStoreSystem

/// A CRC-32C checksum (Castagnoli; RFC 3720, appendix B.4). It uses the CRC-32C instruction of the processor if the
/// processor has one.
package struct CRC32C {
    /// Creates the checksum of no bytes.
    package init() {}

    private var state: UInt32 = ~0

    /// The checksum of all added bytes.
    package var value: UInt32 { ~state }

    @inline(__always)
    package mutating func add(_ bytes: Span<UInt8>) {
        if up_crc32c_is_in_hardware() != 0 {
            // The function reads only within the buffer, whose count is passed along.
            state = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe up_crc32c_in_hardware(state, buffer.baseAddress, buffer.count)
            }
        } else {
            addByTable(bytes)
        }
    }

    /// Adds bytes with a table instead of the instruction of the processor.
    mutating func addByTable(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            state = CRC32C.table[Int(UInt8(truncatingIfNeeded: state) ^ bytes[index])] ^ (state >> 8)
        }
    }

    /// The contribution of each byte value to the checksum, for the reflected polynomial 0x82F63B78.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
    }
}
