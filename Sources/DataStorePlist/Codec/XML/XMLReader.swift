/// A reader of the tags, texts and values of an XML property list. It never reads out of bounds. Only the functions
/// that return values recurse, and they limit the depth.
///
/// It skips comments, processing instructions and the document type, which belong to XML but not to property lists. It
/// supports only character references and the five predefined entities.
struct XMLReader {
    /// A tag or the end of the file, which ``next()`` returns.
    enum Token: Equatable {
        case open(XMLElement, isEmpty: Bool)
        case close(XMLElement)
        case end
    }

    let bytes: [UInt8]
    /// The position of the next byte to read.
    var position = 0
    /// The position of the last token's first byte.
    private(set) var tokenStart = 0
    /// Whether the root dictionary is in a `plist` element.
    private(set) var isWrapped = false

    /// Creates a reader that begins after the byte order mark, if there is one.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if has("\u{FEFF}") { position = 3 }
    }

    func failure(_ reason: String, at offset: Int? = nil) -> PropertyListError {
        PropertyListError(reason, at: offset ?? position)
    }

    func truncatedError(within what: String) -> PropertyListError {
        PropertyListError("the file ends within \(what)", at: bytes.count)
    }

    // MARK: Tags

    /// Reads the next tag. Only white space, comments, processing instructions and a document type may precede it.
    mutating func next() throws(PropertyListError) -> Token {
        try skipBetweenTags()
        tokenStart = position
        guard position < bytes.count else { return .end }
        guard bytes[position] == UInt8(ascii: "<") else {
            throw failure("expected a tag, found \(Self.description(of: bytes[position]))")
        }
        let isClosing = bytes[(position + 1)...].first == UInt8(ascii: "/")
        let name = bytes[(position + (isClosing ? 2 : 1))...].prefix(while: Self.isLetter)
        var index = name.endIndex
        guard index < bytes.count else { throw truncatedError(within: "a tag") }
        guard let element = XMLElement(name: name) else {
            throw failure(
                name.isEmpty
                    ? "expected the name of a tag, found \(Self.description(of: bytes[index]))"
                    : "property lists have no tag \"\(String(decoding: name.prefix(16), as: UTF8.self))\"")
        }
        let isEmpty = try skipAttributes(from: &index)
        guard !(isClosing && isEmpty) else { throw failure("a closing tag is also an empty element") }
        position = index
        return isClosing ? .close(element) : .open(element, isEmpty: isEmpty)
    }

    /// Skips everything between the name of a tag and its end.
    ///
    /// - Returns: Whether the tag is an empty element.
    private func skipAttributes(from index: inout Int) throws(PropertyListError) -> Bool {
        var quote: UInt8?
        let first = bytes[index]
        guard Self.isSpace(first) || first == UInt8(ascii: ">") || first == UInt8(ascii: "/") else {
            throw failure("the name of a tag contains \(Self.description(of: first))", at: index)
        }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: ">") where quote == nil: return bytes[index - 2] == UInt8(ascii: "/")
            case UInt8(ascii: "<"): throw failure("a tag begins within another tag", at: index - 1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            default: continue
            }
        }
        throw truncatedError(within: "a tag")
    }

    /// Reads the next tag. Throws ``PropertyListError`` if it is not `token`. In the error, `what` describes the
    /// expected tag.
    mutating func expect(_ token: Token, _ what: String) throws(PropertyListError) {
        guard try next() == token else { throw unexpected(what) }
    }

    /// Reads the beginning of the file, up to the opening tag of the root dictionary. Returns whether this tag is an
    /// empty element.
    mutating func openRoot() throws(PropertyListError) -> Bool {
        var token = try next()
        isWrapped = token == .open(.plist, isEmpty: false)
        if isWrapped { token = try next() }
        guard case .open(let element, let isEmpty) = token else { throw unexpected("a dictionary") }
        guard element == .dict else {
            throw PropertyListError("the root is not a dictionary", at: tokenStart, .notAStore)
        }
        return isEmpty
    }

    /// Returns an error which states that the last token was not expected.
    func unexpected(_ expected: String) -> PropertyListError {
        failure(
            tokenStart < bytes.count ? "expected \(expected)" : "the file ends, expected \(expected)", at: tokenStart)
    }

    // MARK: Between tags

    private mutating func skipBetweenTags() throws(PropertyListError) {
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

    /// Skips a comment or a processing instruction at the current position, if there is one.
    ///
    /// - Returns: Whether something was skipped.
    mutating func skipComment() throws(PropertyListError) -> Bool {
        if has("<!--") {
            try skip(past: "-->", from: position + 4, "a comment")
        } else if has("<?") {
            try skip(past: "?>", from: position + 2, "a processing instruction")
        } else {
            return false
        }
        return true
    }

    private mutating func skipDocumentType() throws(PropertyListError) {
        var depth = 0
        for index in position..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0:
                position = index + 1
                return
            default: break
            }
        }
        throw truncatedError(within: "the document type")
    }

    /// Moves past the first occurrence of `end` at or after `start`. Throws ``PropertyListError``, whose reason
    /// contains `what`, if there is no occurrence.
    mutating func skip(past end: StaticString, from start: Int, _ what: String) throws(PropertyListError) {
        guard let index = (start..<bytes.count).first(where: { has(end, at: $0) }) else {
            throw truncatedError(within: what)
        }
        position = index + end.utf8CodeUnitCount
    }

    /// Returns whether the bytes at an index, or at the current position, begin with `text`.
    func has(_ text: StaticString, at index: Int? = nil) -> Bool {
        let index = index ?? position
        guard text.utf8CodeUnitCount <= bytes.count - index else { return false }
        return text.withUTF8Buffer { expected in
            // The buffer belongs to a constant, and every access is within its bounds.
            expected.indices.allSatisfy { unsafe bytes[index + $0] == expected[$0] }
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
    }

    private static func description(of byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "\"\(UnicodeScalar(byte))\"" : "the byte 0x\(String(byte, radix: 16))"
    }

    /// Skips a value of any depth and checks that its tags match.
    mutating func skipValue() throws(PropertyListError) {
        // The open containers. A key is a dictionary before the value of this key.
        var open: [XMLElement] = []
        repeat {
            let token = try next()
            switch (token, open.last) {
            case (.close(.array), .array), (.close(.dict), .dict): open.removeLast()
            case (.open(.key, let isEmpty), .dict):
                if !isEmpty { _ = try content(of: .key) }
                open[open.count - 1] = .key
                continue
            case (.open(.key, _), _), (.open(.plist, _), _), (.close, _), (.end, _), (_, .dict):
                throw unexpected(open.last == .dict ? "a key or the end of a dictionary" : "a value")
            case (.open(let element, isEmpty: false), _) where element == .dict || element == .array:
                open.append(element)
                continue
            case (.open(let element, let isEmpty), _):
                if !isEmpty { _ = try content(of: element) }
            }
            // The value is complete, and so is the entry that contains it.
            if open.last == .key { open[open.count - 1] = .dict }
        } while !open.isEmpty
    }
}

/// The elements of an XML property list.
enum XMLElement: String, CaseIterable {
    case plist, dict, array, key, string, integer, real, date, data
    case yes = "true"
    case no = "false"

    /// The elements by their names, as numbers. The reader looks up the name of each tag, and finding a number is
    /// faster than finding a text.
    private static let elements = Dictionary(uniqueKeysWithValues: allCases.map { (number(of: $0.rawValue.utf8), $0) })

    /// Creates the element with the given name. Returns `nil` if no element has this name.
    init?(name: ArraySlice<UInt8>) {
        guard name.count <= 8, let element = Self.elements[Self.number(of: name)] else { return nil }
        self = element
    }

    /// Returns a name of up to eight bytes as one number.
    private static func number(of name: some Sequence<UInt8>) -> UInt64 { name.reduce(0) { $0 << 8 | UInt64($1) } }
}
