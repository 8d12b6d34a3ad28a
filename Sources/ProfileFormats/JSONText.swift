/// An encoder of texts as JSON strings.
package enum JSONText {
    /// Appends a string in quotes. Quotes, backslashes and the characters that `String.printable` replaces are escaped.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        var isPlain = true
        for byte in text.utf8 {
            isPlain = isPlain && byte < 0x7F
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case ..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        if !isPlain {
            let escaped = String(decoding: bytes[start...], as: UTF8.self).printableJSON
            bytes.replaceSubrange(start..., with: escaped.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
