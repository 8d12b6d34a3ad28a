#if canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#else
public import Darwin
#endif

extension String {
    /// Creates a string from UTF-8 bytes. Returns `nil` if the bytes are not UTF-8.
    package init?(utf8 bytes: Span<UInt8>) {
        self.init(utf8: bytes, isASCII: bytes.isASCII)
    }

    /// Creates a string from UTF-8 bytes. Returns `nil` if the bytes are not UTF-8. `isASCII` states whether all bytes
    /// are ASCII.
    package init?(utf8 bytes: Span<UInt8>, isASCII: Bool) {
        // The string copies the buffer. The standard library's validation is not specialized for buffers and takes ten
        // times as long; ASCII needs no validation.
        let text: String? = unsafe bytes.withUnsafeBufferPointer { buffer in
            isASCII ? unsafe String(decoding: buffer, as: UTF8.self) : unsafe String(validating: buffer, as: UTF8.self)
        }
        guard let text else { return nil }
        self = text
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

    /// Returns whether the bytes come before other bytes in lexicographic, unsigned order.
    @inlinable
    package func isOrdered(before other: Span<UInt8>) -> Bool {
        let order = unsafe withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { other in
                guard let first = own.baseAddress, let second = other.baseAddress else { return Int32(0) }
                // Both buffers have at least as many bytes as are compared.
                return unsafe memcmp(first, second, Swift.min(own.count, other.count))
            }
        }
        return order == 0 ? count < other.count : order < 0
    }

    /// Returns whether the bytes are the UTF-8 of a text.
    @inlinable @inline(__always)
    package func isText(_ text: String) -> Bool {
        unsafe withUnsafeBytes { own in
            let isEqual = unsafe text.utf8.withContiguousStorageIfAvailable { other in
                guard own.count == other.count, let first = own.baseAddress, let second = other.baseAddress else {
                    return own.count == other.count
                }
                // Both buffers have as many bytes as are compared.
                return unsafe memcmp(first, second, own.count) == 0
            }
            return unsafe isEqual ?? text.utf8.elementsEqual(own)
        }
    }
}
