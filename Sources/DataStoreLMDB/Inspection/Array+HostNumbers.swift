/// A page number, which LMDB stores in a machine word.
typealias PageNumber = UInt

extension [UInt8] {
    /// Returns a number in the byte order of the machine, as LMDB writes it, or `nil` if it exceeds the bytes.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        // The number is within the bytes, and any bits are a valid number.
        return unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
