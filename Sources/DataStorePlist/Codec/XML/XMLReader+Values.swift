extension XMLReader {
    /// Reads the rest of a value whose first tag, `token`, has been read. Throws ``PropertyListError`` if `depth`
    /// exceeds `Value.maximumElementDepth`, which limits the recursion.
    mutating func value(_ token: Token, depth: Int) throws(PropertyListError) -> Value {
        let start = tokenStart
        guard case .open(let element, let isEmpty) = token else { throw unexpected("a value") }
        guard depth <= Value.maximumElementDepth else { throw failure("values are nested too deep", at: start) }
        switch element {
        case .dict: return try Value(propertyListEntries: isEmpty ? [] : try entries(depth: depth), at: start)
        case .array: return .array(isEmpty ? [] : try elements(depth: depth))
        case .string: return .string(isEmpty ? "" : try text(in: .string))
        case .data: return .data(isEmpty ? [] : try data())
        case .yes, .no:
            if !isEmpty { try expect(.close(element), "the end of \(element.rawValue)") }
            return .bool(element == .yes)
        case .integer where !isEmpty: return .integer(try integer())
        case .real where !isEmpty: return .real(try scalar(.real, "a number") { Double($0) })
        case .date where !isEmpty:
            return .date(try scalar(.date, "a date") { Timestamp(xmlText: $0) })
        default: throw unexpected("a value")
        }
    }

    private mutating func entries(depth: Int) throws(PropertyListError) -> [(String, Value)] {
        var entries: [(String, Value)] = []
        while let key = try nextKey() { entries.append((key, try value(try next(), depth: depth + 1))) }
        return entries
    }

    /// Reads the next key of a dictionary. Returns `nil` at the end of the dictionary.
    private mutating func nextKey() throws(PropertyListError) -> String? {
        switch try next() {
        case .close(.dict): return nil
        case .open(.key, let isEmpty): return isEmpty ? "" : try text(in: .key)
        default: throw unexpected("a key or the end of a dictionary")
        }
    }

    private mutating func elements(depth: Int) throws(PropertyListError) -> [Value] {
        var values: [Value] = []
        while true {
            let token = try next()
            if token == .close(.array) { return values }
            values.append(try value(token, depth: depth + 1))
        }
    }

    /// Returns the entries of a file's root dictionary whose keys are in `names`.
    mutating func rootEntries(_ names: Set<String>) throws(PropertyListError) -> Record {
        let isEmpty = try openRoot()
        var record = Record()
        while !isEmpty, let key = try nextKey() {
            guard names.contains(key) else {
                try skipValue()
                continue
            }
            do throws(PropertyListError) {
                record[key] = try value(try next(), depth: 0)
            } catch {
                throw failure("the entry \(key): \(error.reason)", at: error.offset)
            }
        }
        if isWrapped { try expect(.close(.plist), "the end of the property list") }
        return record
    }

    // MARK: Scalars

    /// Reads an integer after its opening tag.
    mutating func integer() throws(PropertyListError) -> Int64 {
        try scalar(.integer, "an integer of 64 bits") { text in
            if let number = Int64(text) { return number }
            let unsigned = text.drop { $0 == "-" || $0 == "+" }
            let (sign, digits) = (text[..<unsigned.startIndex], unsigned.dropFirst(2))
            guard sign.count <= 1, unsigned.lowercased().hasPrefix("0x"), digits.first?.isHexDigit == true else {
                return nil
            }
            return Int64(sign + digits, radix: 16)
        }
    }

    private mutating func scalar<Scalar>(
        _ element: XMLElement, _ kind: String, _ parse: (String) -> Scalar?
    ) throws(PropertyListError) -> Scalar {
        let start = position
        var word = try text(in: element).utf8.drop(while: Self.isSpace)
        while let last = word.last, Self.isSpace(last) { word.removeLast() }
        let trimmed = String(Substring(word))
        if let scalar = parse(trimmed) { return scalar }
        throw failure("\"\(String(trimmed.prefix(40)).escapingControlCharacters)\" is not \(kind)", at: start)
    }

    private mutating func data() throws(PropertyListError) -> [UInt8] {
        let start = position
        guard let data = [UInt8](base64: try content(of: .data)) else {
            throw failure("the data is not base64", at: start)
        }
        return data
    }

    /// Reads the text of an element and its closing tag.
    mutating func text(in element: XMLElement) throws(PropertyListError) -> String {
        let start = position
        let content = try content(of: element)
        guard let text = String(validating: content, as: UTF8.self) else {
            throw failure("a text is not UTF-8", at: start + (Self.offsetOfInvalidText(in: content) ?? 0))
        }
        return text
    }

    /// Returns the number of bytes before the first ones that are not UTF-8, or `nil` if all bytes are.
    static func offsetOfInvalidText(in bytes: ArraySlice<UInt8>) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
        return offset
    }

    /// Reads an element's text, as bytes, and its closing tag. References are replaced with their characters.
    mutating func content(of element: XMLElement) throws(PropertyListError) -> ArraySlice<UInt8> {
        var decoded: [UInt8] = []
        while true {
            let plain = bytes[position...].prefix { !Self.isSpecial($0) }
            position = plain.endIndex
            if has("</") {
                try expect(.close(element), "the end of \(element.rawValue)")
                // Nearly all texts contain nothing to replace.
                return decoded.isEmpty ? plain : (decoded + plain)[...]
            }
            decoded += plain
            if has("&") {
                try appendReference(to: &decoded)
            } else if has("\r") {
                // Every line break is normalized to a line feed (XML 1.0, section 2.11).
                decoded.append(0x0A)
                position += has("\r\n") ? 2 : 1
            } else if has("<![CDATA[") {
                let first = position + 9
                try skip(past: "]]>", from: first, "a CDATA section")
                decoded += bytes[first..<position - 3]
            } else if position == bytes.count {
                throw truncatedError(within: "a text")
            } else if try !skipComment() {
                _ = try next()
                throw unexpected("the end of \(element.rawValue)")
            }
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0x0D
    }

    private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

    private mutating func appendReference(to decoded: inout [UInt8]) throws(PropertyListError) {
        // The longest reference is `&#x10FFFF;`, but its number may have leading zeros.
        guard let end = bytes[position...].prefix(32).firstIndex(of: UInt8(ascii: ";")) else {
            throw bytes.count - position < 32
                ? truncatedError(within: "a reference") : failure("a reference has no end")
        }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        if let character = Self.entities[name] {
            decoded += character.utf8
        } else {
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
