import Foundation

/// Names — of collections, ids and fields — as keys of a property list.
///
/// Nearly every name stands there as it is. What a property list would change or misread is percent-encoded behind a
/// `$`: names with control characters (no XML has them), names that are not in Unicode's composed form (Foundation takes
/// two spellings for one key), names that begin with `$`, and `CF$UID`, which is a type of its own.
enum PlistName {
    static func encoded(_ name: String) -> String {
        isPlain(name) ? name : "$" + percentEncoded(name)
    }

    /// The name that a key stands for, or nil where the key is none of ours.
    static func decoded(_ key: String) -> String? {
        guard key.hasPrefix("$") else { return key.isEmpty ? nil : key }
        guard let name = String(key.dropFirst()).removingPercentEncoding, !name.isEmpty else { return nil }
        // A name has one form: two keys of one name would be two records of one key.
        return encoded(name).utf8.elementsEqual(key.utf8) ? name : nil
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.hasPrefix("$") && name != "CF$UID" && PlistText.isPlain(name)
            && name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8)
    }

    private static func percentEncoded(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch UnicodeScalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": text.unicodeScalars.append(UnicodeScalar(byte))
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}

/// Text that an XML property list holds exactly.
enum PlistText {
    /// Whether text survives in XML (1.0, section 2.2): no control characters but tab and line feed; a carriage return
    /// would come back as a line feed, and a byte order mark at the start not at all.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\t" || scalar == "\n"
                || (scalar.properties.generalCategory != .control && scalar.value & 0xFFFE != 0xFFFE
                    && scalar != "\u{FEFF}")
        }
    }
}
