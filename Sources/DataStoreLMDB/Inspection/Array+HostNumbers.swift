/// The number of a page in a data file, which LMDB stores as a machine word.
typealias PageNumber = UInt

extension [UInt8] {
    /// Returns the number at an offset, in the byte order of the machine. Returns `nil` if the number would extend
    /// beyond the end of the bytes.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        // The number lies within the bytes, and every bit pattern is a valid number.
        return unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
