extension XMLReader {
    /// Reads the text of an element up to and with its closing tag.
    mutating func text(in element: XMLElement) throws(ParseFailure) -> String {
        let start = position
        // Most text stands there as it is.
        while position < bytes.count, !Self.isSpecial(bytes[position]) { position += 1 }
        if has("</") {
            let end = position
            try expect(.close(element), "the end of \(element.rawValue)")
            return try string(start..<end)
        }
        position = start
        return try decodedText(in: element)
    }

    /// The text of an element without the white space around it.
    mutating func word(in element: XMLElement) throws(ParseFailure) -> (text: String, offset: Int) {
        let start = position
        let text = try text(in: element)
        let isPadded = { (byte: UInt8?) in byte.map(Self.isSpace) ?? false }
        guard isPadded(text.utf8.first) || isPadded(text.utf8.last) else { return (text, start) }
        let trimmed = text.utf8.drop(while: Self.isSpace)
        let count = trimmed.reversed().drop(while: Self.isSpace).count
        return (String(Substring(trimmed.prefix(count))), start)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0x0D
    }

    private func string(_ range: Range<Int>) throws(ParseFailure) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw failure("a text is not UTF-8", at: range.lowerBound)
        }
        return text
    }

    private mutating func decodedText(in element: XMLElement) throws(ParseFailure) -> String {
        let start = position
        var decoded: [UInt8] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "&"): try appendReference(to: &decoded)
            case UInt8(ascii: "<"):
                if has("<![CDATA[") {
                    let first = position + 9
                    try skip(past: "]]>", from: first, "a CDATA section")
                    decoded += bytes[first..<position - 3]
                } else if try !skipComment() {
                    try expect(.close(element), "the end of \(element.rawValue)")
                    guard let text = String(validating: decoded, as: UTF8.self) else {
                        throw failure("a text is not UTF-8", at: start)
                    }
                    return text
                }
            case 0x0D:
                // A line ends with a line feed, however it was written (XML 1.0, section 2.11).
                decoded.append(0x0A)
                position += has("\r\n") ? 2 : 1
            case let byte:
                decoded.append(byte)
                position += 1
            }
        }
        throw cutOff(within: "a text")
    }

    private mutating func appendReference(to decoded: inout [UInt8]) throws(ParseFailure) {
        let start = position
        // The longest is `&#x10FFFF;`, but zeros may be before.
        guard let end = bytes[start...].prefix(32).firstIndex(of: UInt8(ascii: ";")) else {
            throw start + 32 > bytes.count ? cutOff(within: "a reference") : failure("a reference has no end")
        }
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        switch name {
        case "lt": decoded.append(UInt8(ascii: "<"))
        case "gt": decoded.append(UInt8(ascii: ">"))
        case "amp": decoded.append(UInt8(ascii: "&"))
        case "quot": decoded.append(UInt8(ascii: "\""))
        case "apos": decoded.append(UInt8(ascii: "'"))
        default:
            guard name.hasPrefix("#") else { throw failure("the entity \"\(name)\" is not known") }
            let digits = name.dropFirst()
            let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let code, let scalar = Unicode.Scalar(code) else {
                throw failure("\"\(name)\" is no character")
            }
            decoded += Array(String(Character(scalar)).utf8)
        }
        position = end + 1
    }
}
