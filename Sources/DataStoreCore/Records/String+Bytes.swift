// Swift's `==` on strings is Unicode canonical equivalence. A store compares bytes: what went in comes out.
extension String {
    // Each step of a search compares two keys: where there are spans, they are the quickest way.

    /// Whether both strings have the same UTF-8 bytes.
    @inlinable package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return utf8.elementsEqual(other.utf8)
        }
        let left = utf8.span
        let right = other.utf8.span
        // Most are the same: to look at all bytes is quicker than to stop at one.
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    /// Less than, equal to or greater than 0 where the string comes before, has the same, or comes after the bytes of
    /// another one, in unsigned order.
    @inlinable package func byteOrder(to other: String) -> Int {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            if utf8.elementsEqual(other.utf8) { return 0 }
            return utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
        }
        let left = utf8.span
        let right = other.utf8.span
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return Int(left[index]) - Int(right[index])
        }
        return left.count - right.count
    }

    /// Whether the UTF-8 bytes come before others, in unsigned order.
    @inlinable package func precedes(_ bytes: [UInt8]) -> Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return utf8.lexicographicallyPrecedes(bytes)
        }
        return utf8.span.precedes(bytes.span)
    }

    /// Calls a closure with the UTF-8 bytes.
    package func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return body(Array(utf8).span)
        }
        return body(utf8.span)
    }

    /// The text of bytes that are UTF-8; what is none of it becomes U+FFFD.
    @inlinable package init(utf8 bytes: Span<UInt8>) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            self.init(decoding: Array(bytes), as: UTF8.self)
            return
        }
        do {
            self.init(copying: try UTF8Span(validating: bytes))
        } catch {
            self.init(decoding: Array(bytes), as: UTF8.self)
        }
    }

    /// Whether there is a NUL in the text.
    var hasNUL: Bool { leastByte == 0 }

    /// The least byte of the text; 255 where it is empty. Each key and each text of an index is asked: where there are
    /// spans, they are the quickest way, and to look at all bytes is quicker than to stop at one.
    @inlinable package var leastByte: UInt8 {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return utf8.min() ?? .max }
        let bytes = utf8.span
        var least = UInt8.max
        for index in bytes.indices { least = min(least, bytes[index]) }
        return least
    }

    /// The greatest byte of the text; 0 where it is empty. Less than 128, all of it is ASCII.
    var greatestByte: UInt8 {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return utf8.max() ?? 0 }
        let bytes = utf8.span
        var greatest: UInt8 = 0
        for index in bytes.indices { greatest = max(greatest, bytes[index]) }
        return greatest
    }

    /// Hashes the UTF-8 bytes, so that strings of the same bytes hash alike.
    package func hashBytes(into hasher: inout Hasher) {
        for byte in utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }

    /// The string with control characters written as `\u{…}`: names from a file must not steer a terminal.
    package var escapingControlCharacters: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory == .control {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}

extension [UInt8] {
    /// A copy of bytes.
    @usableFromInline package init(_ bytes: Span<UInt8>) {
        self.init()
        reserveCapacity(bytes.count)
        for index in bytes.indices { append(bytes[index]) }
    }
}

extension Span<UInt8> {
    /// Whether the bytes come before others, in unsigned order.
    @inlinable package func precedes(_ other: Span<UInt8>) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            return self[index] < other[index]
        }
        return count < other.count
    }
}
