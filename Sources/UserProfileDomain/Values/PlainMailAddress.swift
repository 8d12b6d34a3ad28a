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
        guard bytes.count <= 254 else { return false }
        var index = 0
        // Atoms between dots, up to the @.
        var start = 0
        while true {
            while index < bytes.count, isAtom(bytes[index]) { index &+= 1 }
            guard index > start, index < bytes.count else { return false }
            let byte = bytes[index]
            index &+= 1
            start = index
            if byte == UInt8(ascii: "@") { break }
            guard byte == UInt8(ascii: ".") else { return false }
        }
        guard index <= 65 else { return false }
        // Labels between dots, up to the end.
        while true {
            while index < bytes.count, isLabel(bytes[index]) { index &+= 1 }
            guard index > start, index - start <= 63, bytes[start] != UInt8(ascii: "-"),
                bytes[index - 1] != UInt8(ascii: "-")
            else { return false }
            if index == bytes.count { return true }
            guard bytes[index] == UInt8(ascii: ".") else { return false }
            index &+= 1
            start = index
        }
    }

    /// Letters, digits, hyphens, `_` and `+`.
    @inline(__always)
    private static func isAtom(_ byte: UInt8) -> Bool {
        isLabel(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "+")
    }

    /// Letters, digits and hyphens.
    @inline(__always)
    private static func isLabel(_ byte: UInt8) -> Bool {
        // Small letters first: most bytes are.
        byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "A") < 26
            || byte == UInt8(ascii: "-")
    }
}
