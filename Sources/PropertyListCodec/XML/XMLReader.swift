/// Reads the tags and texts of an XML property list, one after the other.
///
/// Every access is within bounds, and nothing here calls itself: no input can crash it. What belongs to XML but not to
/// property lists — comments, processing instructions, the document type — is passed over; entities are the five that every
/// XML has and references to characters.
struct XMLReader {
    /// What comes next.
    enum Token: Equatable {
        case open(XMLElement, isEmpty: Bool)
        case close(XMLElement)
        case end
    }

    let bytes: [UInt8]

    /// How far it has read.
    var position: Int

    /// Where the last token began.
    private(set) var tokenStart = 0

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    func failure(_ reason: String, at offset: Int? = nil) -> ParseFailure {
        ParseFailure(reason: reason, offset: offset ?? position)
    }

    func cutOff(within what: String) -> ParseFailure {
        ParseFailure(reason: "the file ends within \(what)", offset: bytes.count)
    }

    // MARK: Tags

    /// Reads the next tag; between it and the last one only white space and what is passed over may be.
    mutating func next() throws(ParseFailure) -> Token {
        try skipBetweenTags()
        tokenStart = position
        guard position < bytes.count else { return .end }
        guard bytes[position] == UInt8(ascii: "<") else {
            throw failure("\(Self.shown(bytes[position])) stands where a tag must be")
        }
        var place = position + 1
        let isClosing = place < bytes.count && bytes[place] == UInt8(ascii: "/")
        if isClosing { place += 1 }
        let nameStart = place
        while place < bytes.count, Self.isLetter(bytes[place]) { place += 1 }
        guard place < bytes.count else { throw cutOff(within: "a tag") }
        // No element has a longer name than `integer`.
        let name = String(decoding: bytes[nameStart..<min(place, nameStart + 16)], as: UTF8.self)
        guard let element = XMLElement(rawValue: name) else {
            throw failure(
                name.isEmpty
                    ? "\(Self.shown(bytes[place])) stands where the name of a tag must be"
                    : "no property list has the tag \"\(name)\"")
        }
        let isEmpty = try skipAttributes(from: &place)
        guard !(isClosing && isEmpty) else { throw failure("a closing tag is an empty one, too") }
        position = place
        return isClosing ? .close(element) : .open(element, isEmpty: isEmpty)
    }

    /// Passes over what stands between the name of a tag and its end.
    ///
    /// - Returns: whether the element is an empty one.
    private func skipAttributes(from place: inout Int) throws(ParseFailure) -> Bool {
        var quote: UInt8?
        let first = bytes[place]
        guard Self.isSpace(first) || first == UInt8(ascii: ">") || first == UInt8(ascii: "/") else {
            throw failure("\(Self.shown(first)) stands in the name of a tag", at: place)
        }
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: ">") where quote == nil: return bytes[place - 2] == UInt8(ascii: "/")
            case UInt8(ascii: "<"): throw failure("a tag begins within another one", at: place - 1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            default: continue
            }
        }
        throw cutOff(within: "a tag")
    }

    /// Reads a tag that must come.
    mutating func expect(_ token: Token, _ what: String) throws(ParseFailure) {
        guard try next() == token else { throw unexpected(what) }
    }

    /// What to throw where the last token is none that may be there.
    func unexpected(_ what: String) -> ParseFailure {
        failure(
            tokenStart < bytes.count ? "here must be \(what)" : "the file ends where \(what) must be", at: tokenStart)
    }

    // MARK: Between tags

    private mutating func skipBetweenTags() throws(ParseFailure) {
        while position < bytes.count {
            if Self.isSpace(bytes[position]) {
                position += 1
            } else if bytes[position] != UInt8(ascii: "<") {
                return
            } else if try !skipComment() {
                guard has("<!DOCTYPE") else { return }
                try skipDocumentType()
            }
        }
    }

    /// Passes over a comment or a processing instruction.
    ///
    /// - Returns: whether there was one.
    mutating func skipComment() throws(ParseFailure) -> Bool {
        if has("<!--") {
            try skip(past: "-->", from: position + 4, "a comment")
        } else if has("<?") {
            try skip(past: "?>", from: position + 2, "a processing instruction")
        } else {
            return false
        }
        return true
    }

    private mutating func skipDocumentType() throws(ParseFailure) {
        var place = position
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0:
                position = place + 1
                return
            default: break
            }
            place += 1
        }
        throw cutOff(within: "the document type")
    }

    /// Goes on behind the next occurrence of a text.
    mutating func skip(past end: StaticString, from start: Int, _ what: String) throws(ParseFailure) {
        var place = start
        while place + end.utf8CodeUnitCount <= bytes.count {
            if has(end, at: place) {
                position = place + end.utf8CodeUnitCount
                return
            }
            place += 1
        }
        throw cutOff(within: what)
    }

    /// Whether a text stands at a place, or where it is now.
    func has(_ text: StaticString, at place: Int? = nil) -> Bool {
        let place = place ?? position
        guard place + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { expected in
            // The pointer is to a constant of the program, and the index one of its.
            expected.indices.allSatisfy { unsafe bytes[place + $0] == expected[$0] }
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
    }

    private static func shown(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "\"\(UnicodeScalar(byte))\"" : "the byte 0x\(String(byte, radix: 16))"
    }
}
