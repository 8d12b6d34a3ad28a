/// The rule that decides whether a property list can represent a string as text.
enum PrintableText {
    /// Returns whether every XML reader returns a string unchanged.
    ///
    /// XML 1.0 (section 2.2) allows no control characters except tab, line feed and carriage return. Readers convert a
    /// carriage return to a line feed, and remove a byte order mark at the start.
    static func isPrintable(_ text: String) -> Bool {
        for byte in text.utf8 {
            switch byte {
            case 0x20..<0x7F, 0x09, 0x0A: continue
            case 0x80...: return text.unicodeScalars.allSatisfy(isPrintable)
            default: return false
            }
        }
        return true
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x20..<0x7F: true
        case 0..<0xA0, 0xFEFF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }
}
