extension XMLReader {
    /// Reads the text of an element and its closing tag.
    mutating func text(in element: XMLElement) throws(PropertyListError) -> String {
        let start = position
        guard let text = String(validating: try content(of: element), as: UTF8.self) else {
            throw failure("a text is not UTF-8", at: start)
        }
        return text
    }

    /// Reads the text of an element and its closing tag. Returns the text without leading and trailing white space, and
    /// the offset of the element's contents in the file, in bytes.
    mutating func word(in element: XMLElement) throws(PropertyListError) -> (text: String, offset: Int) {
        let start = position
        var content = try content(of: element).drop(while: Self.isSpace)
        while let last = content.last, Self.isSpace(last) { content = content.dropLast() }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw failure("a text is not UTF-8", at: start)
        }
        return (text, start)
    }

    /// Reads an element's text, as bytes, and its closing tag. References are replaced with their characters.
    mutating func content(of element: XMLElement) throws(PropertyListError) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, !Self.isSpecial(bytes[position]) { position += 1 }
        if has("</") {
            // Nearly all texts contain nothing to replace.
            let end = position
            try expect(.close(element), "the end of \(element.rawValue)")
            return bytes[start..<end]
        }
        var decoded = Array(bytes[start..<position])
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
                    return decoded[...]
                }
            case 0x0D:
                // Every line break is normalized to a line feed (XML 1.0, section 2.11).
                decoded.append(0x0A)
                position += has("\r\n") ? 2 : 1
            case let byte:
                decoded.append(byte)
                position += 1
            }
        }
        throw truncatedError(within: "a text")
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0x0D
    }

    private mutating func appendReference(to decoded: inout [UInt8]) throws(PropertyListError) {
        // The longest reference is `&#x10FFFF;`, but its number may have leading zeros.
        guard let end = bytes[position...].prefix(32).firstIndex(of: UInt8(ascii: ";")) else {
            throw bytes.count - position < 32
                ? truncatedError(within: "a reference") : failure("a reference has no end")
        }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        switch name {
        case "lt": decoded.append(UInt8(ascii: "<"))
        case "gt": decoded.append(UInt8(ascii: ">"))
        case "amp": decoded.append(UInt8(ascii: "&"))
        case "quot": decoded.append(UInt8(ascii: "\""))
        case "apos": decoded.append(UInt8(ascii: "'"))
        default:
            guard name.utf8.first == UInt8(ascii: "#") else { throw failure("the entity \"\(name)\" is unknown") }
            let isHexadecimal = name.utf8.dropFirst().first == UInt8(ascii: "x")
            guard let code = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10),
                let scalar = Unicode.Scalar(code), !name.utf8.contains(UInt8(ascii: "+"))
            else { throw failure("\"\(name)\" is not a character") }
            decoded += UTF8.encode(scalar).map(Array.init) ?? []
        }
        position = end + 1
    }
}
