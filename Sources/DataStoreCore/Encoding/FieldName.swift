/// The name of a field to find in encoded records.
///
/// Records order their fields by the length of the names, then by the bytes. Names of up to 15 bytes are compared by
/// two numbers, which the compiler computes if the name is a literal.
@usableFromInline
package struct FieldName: Sendable {
    /// The name as text.
    @usableFromInline package let text: String

    /// The number of bytes of the name in the highest byte, and then the first seven bytes of the name. All names of at
    /// least 255 bytes have one number.
    @usableFromInline package let order: UInt64

    /// The last eight bytes of the name, or 0 if it is shorter.
    @usableFromInline let end: UInt64

    /// Creates the name of a field.
    @inlinable @inline(__always)
    package init(_ text: String) {
        self.text = text
        let numbers = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe FieldName.numbers(of: $0) }
        (order, end) = numbers ?? text.withBytes { FieldName.numbers(of: $0) }
    }

    @inlinable @inline(__always)
    package static func numbers(of name: Span<UInt8>) -> (order: UInt64, end: UInt64) {
        unsafe name.withUnsafeBufferPointer { unsafe numbers(of: $0) }
    }

    @inlinable @inline(__always)
    static func numbers(of name: UnsafeBufferPointer<UInt8>) -> (order: UInt64, end: UInt64) {
        let count = name.count
        var (first, last): (UInt64, UInt64) = (0, 0)
        // The number of rounds does not depend on the name, so that the compiler can compute the numbers of a literal.
        for index in 0..<7 { first = first << 8 | (index < count ? UInt64(unsafe name[index]) : 0) }
        if count >= 8 {
            for index in 1...8 { last = last << 8 | UInt64(unsafe name[count &- index]) }
        }
        // Names of at least 255 bytes have one number, because their lengths come before their bytes.
        return (count < 255 ? UInt64(count) << 56 | first : 255 << 56, last)
    }

    /// Returns the ``order`` of a name that is not a literal, of which it reads several bytes at a time.
    @inline(__always)
    static func order(of name: Span<UInt8>) -> UInt64 {
        let count = name.count
        guard 4..<255 ~= count else { return numbers(of: name).order }
        // The loads end within the name.
        func word<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at offset: Int) -> UInt64 {
            UInt64(Word(bigEndian: unsafe name.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: type)))
        }
        let first =
            count >= 8
            ? word(UInt64.self, at: 0) >> 8
                // Both words contain the bytes in the middle.
            : (word(UInt32.self, at: 0) << 24) | (word(UInt32.self, at: count &- 4) &<< UInt64(8 &* (7 &- count)))
        return UInt64(count) << 56 | first
    }

    /// Whether a name with this ``order`` has at most 15 bytes, so that two numbers determine it.
    @inline(__always)
    static func isShort(_ order: UInt64) -> Bool { order >> 56 < 16 }

    /// Whether no other name has the same number as a name with this ``order``.
    @inline(__always)
    static func isUnique(_ order: UInt64) -> Bool { order >> 56 < 8 }
}
