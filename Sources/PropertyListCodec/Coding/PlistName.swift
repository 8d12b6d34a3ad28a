import Foundation

/// Names — of collections, ids and fields — as keys of a property list.
///
/// Nearly every name stands there as it is. What a property list would change or misread is percent-encoded behind a
/// `$`: names with control characters (no XML has them), names that are not in Unicode's composed form (some readers take
/// two spellings for one key), names that begin with `$`, and `CF$UID`, which is a type of its own.
enum PlistName {
    static func encoded(_ name: String) -> String {
        isPlain(name) ? name : "$" + percentEncoded(name)
    }

    /// The name that a key stands for, or nil where the key is none of ours.
    static func decoded(_ key: String) -> String? {
        guard key.utf8.first == UInt8(ascii: "$") else { return key.isEmpty ? nil : key }
        guard let name = String(key.dropFirst()).removingPercentEncoding, !name.isEmpty else { return nil }
        // A name has one form: two keys of one name would be two records of one key.
        return encoded(name).utf8.elementsEqual(key.utf8) ? name : nil
    }

    private static func isPlain(_ name: String) -> Bool {
        guard name.utf8.first != UInt8(ascii: "$"), name != "CF$UID" else { return false }
        switch PlistText.form(of: name) {
        case .plain: return true
        case .unprintable: return false
        case .escaped:
            // ASCII is always composed.
            return name.utf8.allSatisfy { $0 < 0x80 }
                || name.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name.utf8)
        }
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
