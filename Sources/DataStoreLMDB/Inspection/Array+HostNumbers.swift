/// The number of a page, which LMDB keeps in a machine word.
typealias PageNumber = UInt

extension [UInt8] {
    /// A number in the byte order of this machine, as LMDB writes it; nil where it would not be within the bytes.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        // It is within the bytes, and any bits are a number.
        return unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
