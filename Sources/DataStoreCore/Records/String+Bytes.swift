// `==` of `String` compares by Unicode canonical equivalence. A store compares bytes, so that different texts stay
// different keys.
extension String {
    // Each step of a search compares two keys. Spans are the fastest way to compare them, on systems that have spans.

    /// Returns whether both strings have the same UTF-8 bytes.
    @inlinable package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return utf8.elementsEqual(other.utf8)
        }
        let left = utf8.span
        let right = other.utf8.span
        // Most compared strings are equal, so comparing all bytes without a branch is faster than stopping at a
        // difference.
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    /// Returns whether both strings have the same UTF-8 bytes. `isASCII` states whether this string is ASCII.
    ///
    /// If this string is ASCII, comparing the number of bytes and calling `==` is sufficient, because a string that
    /// `==` considers equal to an ASCII string has either the same bytes or more bytes.
    func hasSameBytes(as other: String, isASCII: Bool) -> Bool {
        utf8.count == other.utf8.count && self == other && (isASCII || hasSameBytes(as: other))
    }

    /// Compares the UTF-8 bytes of two strings in lexicographic order, as unsigned numbers. The result is negative if
    /// this string comes first, 0 if the strings are equal, and positive otherwise.
    @inlinable package func byteOrder(to other: String) -> Int {
        withBytes { left in
            other.withBytes { right in
                if let isFirst = left.order(right, first: min(left.count, right.count)) { return isFirst ? -1 : 1 }
                return left.count - right.count
            }
        }
    }

    /// Returns whether the UTF-8 bytes of the string precede the given bytes in lexicographic order. Bytes are compared
    /// as unsigned numbers.
    @inlinable package func precedes(_ bytes: [UInt8]) -> Bool { withBytes { $0.precedes(bytes.span) } }

    /// Passes the UTF-8 bytes of the string to a closure and returns the result of the closure.
    @inlinable @inline(__always)
    package func withBytes<Result, Failure>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return try body(Array(utf8).span)
        }
        return try body(utf8.span)
    }

    /// Creates a string from UTF-8 bytes. Returns `nil` if the bytes are not UTF-8.
    @inlinable
    package init?(utf8 bytes: Span<UInt8>) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            guard let text = String(validating: Array(bytes), as: UTF8.self) else { return nil }
            self = text
            return
        }
        if bytes.isASCII {
            // ASCII is valid UTF-8.
            self.init(copying: unsafe UTF8Span(unchecked: bytes, isKnownASCII: true))
            return
        }
        do {
            self.init(copying: try UTF8Span(validating: bytes))
        } catch {
            return nil
        }
    }

    /// Creates a string from UTF-8 bytes. Invalid sequences become U+FFFD.
    @inlinable package init(decoding bytes: Span<UInt8>) {
        if let text = String(utf8: bytes) {
            self = text
        } else {
            self.init(decoding: Array(bytes), as: UTF8.self)
        }
    }

    /// Copies the UTF-8 bytes of the string to memory of the same size.
    ///
    /// In contrast to a copy through `withBytes`, this function does not retain the string, and does not call the
    /// standard library.
    @inlinable @inline(__always)
    package func copyBytes(to memory: UnsafeMutableRawBufferPointer) {
        let isCopied: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
        }
        guard isCopied == nil else { return }
        withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe memory.copyMemory(from: $0) } }
    }

    /// Whether the string contains a NUL character.
    ///
    /// The property is computed for each key. It reads all bytes, which is faster than stopping early.
    var hasNUL: Bool {
        withBytes { bytes in
            var least = UInt8.max
            for index in bytes.indices { least = min(least, bytes[index]) }
            return least == 0
        }
    }

    /// The highest UTF-8 byte, or 0 if the string is empty. If it is below 128, the string is ASCII.
    var greatestByte: UInt8 {
        withBytes { bytes in
            var greatest: UInt8 = 0
            for index in bytes.indices { greatest = max(greatest, bytes[index]) }
            return greatest
        }
    }

    /// Hashes the UTF-8 bytes, so that strings with the same bytes have the same hash value.
    package func hashBytes(into hasher: inout Hasher) {
        for byte in utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }

    /// The string as a name in a message. Control characters are escaped, and a string that is longer than any key is
    /// cut after 80 characters, because a name in a file or from a caller can have any length.
    package var escapedForMessage: String {
        guard utf8.count > Key.maximumByteCount else { return escapingControlCharacters }
        return String(unicodeScalars.prefix(80)).escapingControlCharacters + "…"
    }

    /// The string with control characters escaped as `\u{…}`, so that names from a file cannot control a terminal.
    package var escapingControlCharacters: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        var escaped = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory == .control {
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
