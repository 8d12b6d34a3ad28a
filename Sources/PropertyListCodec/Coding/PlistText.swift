/// Text that an XML property list holds exactly.
enum PlistText {
    /// How text can stand in a file.
    enum Form {
        /// As it is, in either format.
        case plain
        /// As it is, but in XML with some characters as references.
        case escaped
        /// Not as text: no XML has it, or not every reader gives it back as it was.
        case unprintable
    }

    /// Whether text survives in XML (1.0, section 2.2): no control characters but tab and line feed; a carriage return
    /// would come back as a line feed, and a byte order mark at the start not at all.
    static func form(of text: String) -> Form {
        var form = Form.plain
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): form = .escaped
            case 0x20..<0x7F, 0x09, 0x0A: continue
            case 0x80...: return hasOnlyPrintable(text) ? .escaped : .unprintable
            default: return .unprintable
            }
        }
        return form
    }

    private static func hasOnlyPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x20..<0x7F: true
            case 0..<0xA0: false
            case 0xFEFF: false
            default: scalar.value & 0xFFFE != 0xFFFE
            }
        }
    }
}
