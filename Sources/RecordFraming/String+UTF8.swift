public import DataStoreCore

#if canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#else
public import Darwin
#endif

extension String {
    /// Copies the UTF-8 bytes of the string to memory of the same size.
    ///
    /// In contrast to a copy through `withBytes`, this function does not retain the string, and does not call the
    /// standard library.
    @inlinable @inline(__always)
    func copyBytes(to memory: UnsafeMutableRawBufferPointer) {
        let isCopied: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
        }
        guard isCopied == nil else { return }
        withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe memory.copyMemory(from: $0) } }
    }
}

extension [UInt8] {
    /// Copies the bytes into memory, starting at an offset. The memory must have room for them.
    @inlinable @inline(__always)
    func copyBytes(to memory: UnsafeMutableRawBufferPointer, at offset: Int) {
        unsafe withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
        }
    }
}

extension Span<UInt8> {
    /// Whether all bytes are ASCII.
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

    /// Returns whether the bytes precede the bytes of `other` in lexicographic order. Bytes are compared as unsigned
    /// numbers. For short keys, this function is faster than `memcmp`.
    @inlinable @inline(__always)
    package func isOrdered(before other: Span<UInt8>) -> Bool {
        unsafe withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { other in
                // Compares the words at an offset of both buffers. Returns whether the left word comes first, or `nil`
                // if the words are equal. Read as big-endian numbers, words sort in the lexicographic order of bytes.
                @inline(__always)
                func order<Word: FixedWidthInteger>(at offset: Int, _ type: Word.Type) -> Bool? {
                    let left = unsafe own.loadUnaligned(fromByteOffset: offset, as: type)
                    let right = unsafe other.loadUnaligned(fromByteOffset: offset, as: type)
                    return left == right ? nil : Word(bigEndian: left) < Word(bigEndian: right)
                }
                // Both buffers have at least as many bytes as are compared. The first and the last eight or four of
                // them may overlap.
                let compared = Swift.min(own.count, other.count)
                let isShorter = own.count < other.count
                switch compared {
                case 8...16: return order(at: 0, UInt64.self) ?? order(at: compared &- 8, UInt64.self) ?? isShorter
                case 4...7: return order(at: 0, UInt32.self) ?? order(at: compared &- 4, UInt32.self) ?? isShorter
                default:
                    guard let first = own.baseAddress, let second = other.baseAddress else { return isShorter }
                    let order = unsafe memcmp(first, second, compared)
                    return order == 0 ? isShorter : order < 0
                }
            }
        }
    }

    /// Returns whether two spans have the same bytes. For short names, this function is faster than `memcmp`.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { other in
                // The first and the last eight or four bytes, which may overlap.
                func isEqual<Word: FixedWidthInteger>(at offset: Int, _ type: Word.Type) -> Bool {
                    unsafe own.loadUnaligned(fromByteOffset: offset, as: type)
                        == other.loadUnaligned(fromByteOffset: offset, as: type)
                }
                switch own.count {
                case 8...16: return isEqual(at: 0, UInt64.self) && isEqual(at: own.count &- 8, UInt64.self)
                case 4...7: return isEqual(at: 0, UInt32.self) && isEqual(at: own.count &- 4, UInt32.self)
                case 0: return true
                default:
                    guard let first = own.baseAddress, let second = other.baseAddress else { return false }
                    return unsafe memcmp(first, second, own.count) == 0
                }
            }
        }
    }
}
