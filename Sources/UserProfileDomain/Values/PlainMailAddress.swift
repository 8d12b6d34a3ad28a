/// Recognizes in one pass over the bytes what nearly all addresses are: an ASCII dot-string, an `@`, an ASCII domain.
///
/// Every address that is read from a store passes here. What does not match may still be an address, or has a mistake to
/// be named: ``MailAddressGrammar`` decides.
enum PlainMailAddress {
    static func matches(_ text: String) -> Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        return matches(text.utf8.span)
    }

    private static func matches(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 254, let at = endOfLocalPart(bytes), at <= 64 else { return false }
        var start = at &+ 1
        var index = start
        while index < bytes.count {
            if isLabel(bytes[index]) {
                index &+= 1
                continue
            }
            guard bytes[index] == UInt8(ascii: "."), isLabel(bytes, start..<index) else { return false }
            index &+= 1
            start = index
        }
        return isLabel(bytes, start..<bytes.count)
    }

    /// Where the `@` stands behind a dot-string; nil where that is not what the address begins with.
    @inline(__always)
    private static func endOfLocalPart(_ bytes: Span<UInt8>) -> Int? {
        var (start, index) = (0, 0)
        while index < bytes.count {
            if isAtom(bytes[index]) {
                index &+= 1
                continue
            }
            guard index > start else { return nil }
            if bytes[index] == UInt8(ascii: "@") { return index }
            guard bytes[index] == UInt8(ascii: ".") else { return nil }
            index &+= 1
            start = index
        }
        return nil
    }

    /// Whether letters, digits and hyphens are a label: not too many, and no hyphen at either end.
    private static func isLabel(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        1...63 ~= range.count && bytes[range.lowerBound] != UInt8(ascii: "-")
            && bytes[range.upperBound - 1] != UInt8(ascii: "-")
    }

    /// Letters, digits, hyphens, `_` and `+`.
    @inline(__always)
    private static func isAtom(_ byte: UInt8) -> Bool {
        isIn(low: 0x03FF_2800_0000_0000, high: 0x07FF_FFFE_87FF_FFFE, byte)
    }

    /// Letters, digits and hyphens.
    @inline(__always)
    private static func isLabel(_ byte: UInt8) -> Bool {
        isIn(low: 0x03FF_2000_0000_0000, high: 0x07FF_FFFE_07FF_FFFE, byte)
    }

    /// Whether a byte is in a set of ASCII characters, a bit for each: those below `@`, and the others. Letters and digits
    /// take turns in an address, and a processor that guesses at comparisons guesses wrong.
    @inline(__always)
    private static func isIn(low: UInt64, high: UInt64, _ byte: UInt8) -> Bool {
        byte < 0x80 && ((byte & 0x40 == 0 ? low : high) &>> UInt64(byte & 0x3F)) & 1 == 1
    }
}
