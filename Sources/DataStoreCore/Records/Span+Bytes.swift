extension Span<UInt8> {
    /// Whether all bytes are ASCII.
    @inlinable
    package var isASCII: Bool {
        @inline(__always) get {
            unsafe withUnsafeBytes { bytes in
                var all: UInt64 = 0
                if bytes.count < 8 {
                    for offset in 0..<bytes.count { all |= UInt64(unsafe bytes[offset]) }
                } else {
                    // Eight bytes are read at a time. The last read ends with the span and may overlap the one before
                    // it.
                    let last = bytes.count &- 8
                    var offset = 0
                    while offset < last {
                        all |= unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                        offset &+= 8
                    }
                    all |= unsafe bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self)
                }
                return all & 0x8080_8080_8080_8080 == 0
            }
        }
    }

    /// The at most eight bytes that begin at an offset, as a big-endian number that is padded with zeros. The numbers
    /// of texts of equal length sort like the texts. The span must have `length` bytes at the offset.
    @inlinable @inline(__always)
    package func prefix(at offset: Int, length: Int) -> UInt64 {
        let padding = UInt64(max(0, 64 &- 8 &* length))
        if count &- offset >= 8 {
            // The load ends within the span.
            let word = unsafe withUnsafeBytes { bytes in
                unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            return (word >> padding) << padding
        }
        var word: UInt64 = 0
        for index in offset..<(offset &+ Swift.min(length, 8)) { word = word << 8 | UInt64(self[index]) }
        return word << padding
    }

    /// Compares the first `count` bytes of two spans, which both have. Returns whether the bytes of this span come
    /// first, or `nil` if they are equal.
    @inlinable @inline(__always)
    package func order(_ other: Span<UInt8>, first count: Int) -> Bool? {
        if count >= 8 { return order(other, first: count, inSteps: UInt64.self) }
        if count >= 4 { return order(other, first: count, inSteps: UInt32.self) }
        return order(other, first: count, inSteps: UInt8.self)
    }

    /// Compares the first `count` bytes, several at a time. `count` is not less than the size of a step.
    @inlinable @inline(__always)
    func order<Word: FixedWidthInteger & BitwiseCopyable>(
        _ other: Span<UInt8>, first count: Int, inSteps: Word.Type
    ) -> Bool? {
        var offset = 0
        while offset < count {
            // The last word may overlap the one before it, whose bytes are equal.
            let start = Swift.min(offset, count &- MemoryLayout<Word>.size)
            // Both loads end within the first `count` bytes.
            let left = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: Word.self)
            let right = unsafe other.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: Word.self)
            if left != right { return Word(bigEndian: left) < Word(bigEndian: right) }
            offset &+= MemoryLayout<Word>.size
        }
        return nil
    }

    /// Returns whether the bytes precede the bytes of `other` in lexicographic order. Bytes are compared as unsigned
    /// numbers.
    @inlinable @inline(__always)
    package func precedes(_ other: Span<UInt8>) -> Bool {
        order(other, first: Swift.min(count, other.count)) ?? (count < other.count)
    }

    /// Returns whether two spans have the same bytes.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        count == other.count && order(other, first: count) == nil
    }
}

extension [UInt8] {
    /// Creates an array with a copy of the bytes of a span.
    @usableFromInline package init(_ bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends a copy of the bytes of a span.
    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Copies the bytes into memory, starting at an offset. The memory must have room for them.
    @inlinable @inline(__always)
    package func copyBytes(to memory: UnsafeMutableRawBufferPointer, at offset: Int) {
        unsafe withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
        }
    }
}
