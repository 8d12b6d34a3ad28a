// Swift's `==` on strings is Unicode canonical equivalence. A store compares bytes: what went in comes out.
extension String {
    /// Whether both strings have the same UTF-8 bytes.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Compares the UTF-8 bytes as unsigned numbers. Finding a record asks for this at each step: where there are spans, they
    /// are the quickest way.
    ///
    /// - Returns: less than 0 where this string comes first, 0 where both have the same bytes, else more than 0.
    package func compareBytes(to other: String) -> Int {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            if hasSameBytes(as: other) { return 0 }
            return utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
        }
        let (left, right) = (utf8.span, other.utf8.span)
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return left.count - right.count
    }

    /// Whether there is a NUL in the text. Each key is asked: where there are spans, they are the quickest way.
    var hasNUL: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return utf8.contains(0) }
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] == 0 { return true }
        return false
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
