import DataStoreCore

/// The base64 encoding of data (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The number that each letter encodes, or 64 for a byte outside the alphabet.
    private static let numbers: [UInt8] = {
        var numbers = [UInt8](repeating: 64, count: 256)
        for (number, letter) in alphabet.enumerated() { numbers[Int(letter)] = UInt8(number) }
        return numbers
    }()

    /// Decodes a base64 text. Returns `nil` if the text is not base64 with padding. White space is ignored.
    static func data(of text: ArraySlice<UInt8>) -> [UInt8]? {
        let numbers = numbers
        var data: [UInt8] = []
        data.reserveCapacity(text.count / 4 * 3 + 3)
        var (bits, letterCount, paddingCount): (UInt32, Int, Int) = (0, 0, 0)
        var index = text.startIndex
        while index < text.endIndex {
            let letter = text[index]
            index += 1
            if XMLReader.isSpace(letter) { continue }
            if letter == padding {
                paddingCount += 1
                continue
            }
            let number = numbers[Int(letter)]
            guard number < 64, paddingCount == 0 else { return nil }
            bits = bits << 6 | UInt32(number)
            letterCount += 1
            guard letterCount == 4 else { continue }
            data.append(UInt8(truncatingIfNeeded: bits >> 16))
            data.append(UInt8(truncatingIfNeeded: bits >> 8))
            data.append(UInt8(truncatingIfNeeded: bits))
            letterCount = 0
        }
        switch (letterCount, paddingCount) {
        case (0, 0): break
        case (2, 2): data.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 1):
            data.append(UInt8(truncatingIfNeeded: bits >> 10))
            data.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return data
    }

    /// Encodes data as base64 text.
    static func text(of data: [UInt8]) -> [UInt8] {
        let alphabet = alphabet
        var text = [UInt8](repeating: padding, count: (data.count + 2) / 3 * 4)
        var (index, end) = (0, 0)
        while index + 3 <= data.count {
            let bits = Int(data[index]) << 16 | Int(data[index + 1]) << 8 | Int(data[index + 2])
            text[end] = alphabet[bits >> 18]
            text[end + 1] = alphabet[bits >> 12 & 63]
            text[end + 2] = alphabet[bits >> 6 & 63]
            text[end + 3] = alphabet[bits & 63]
            index += 3
            end += 4
        }
        guard index < data.count else { return text }
        let hasTwo = index + 2 == data.count
        let bits = Int(data[index]) << 8 | (hasTwo ? Int(data[index + 1]) : 0)
        text[end] = alphabet[bits >> 10]
        text[end + 1] = alphabet[bits >> 4 & 63]
        if hasTwo { text[end + 2] = alphabet[bits << 2 & 63] }
        return text
    }
}

extension String {
    /// Whether a property list can represent the string as text: every XML reader returns it unchanged.
    ///
    /// XML 1.0 (section 2.2) allows no control characters except tab, line feed and carriage return. Readers convert a
    /// carriage return to a line feed, and remove a byte order mark at the start.
    var isPrintable: Bool {
        for byte in utf8 {
            switch byte {
            case 0x20..<0x7F, 0x09, 0x0A: continue
            case 0x80...: return unicodeScalars.allSatisfy(\.isPrintable)
            default: return false
            }
        }
        return true
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch value {
        case 0x09, 0x0A, 0x20..<0x7F: true
        case 0..<0xA0, 0xFEFF: false
        default: value & 0xFFFE != 0xFFFE
        }
    }
}

/// The encoding of values that a property list cannot represent exactly. Such a value becomes a dictionary with one
/// entry:
///
/// - `{$string: data}` for text with control characters;
/// - `{$date: [seconds, nanoseconds]}` for dates with a fraction of a second or outside the years 1 to 9999;
/// - `{$real: "-0.0"}` for negative zero;
/// - `{$sealed: data}` for sealed values.
enum ValueCoding {
    static let stringKey = "$string"
    static let dateKey = "$date"
    static let realKey = "$real"
    static let sealedKey = "$sealed"
    static let negativeZero = "-0.0"

    /// The maximum nesting depth of an element within a record of an XML file. The deepest elements are the two
    /// integers of a `$date` in an array with the depth `Record.maximumDepth`.
    static let maximumDepth = Record.maximumDepth + 3

    /// Returns the key and the value of the dictionary that encodes a value. Returns `nil` if a property list can
    /// represent the value itself.
    static func wrapped(_ value: Value) -> (key: String, value: Value)? {
        switch value {
        case .string(let text) where !text.isPrintable: (stringKey, .data(Array(text.utf8)))
        case .real(let number) where number == 0 && number.sign == .minus: (realKey, .string(negativeZero))
        case .date(let date) where date.nanoseconds != 0 || !DateCoding.plainSeconds.contains(date.seconds):
            (dateKey, .array([.integer(date.seconds), .integer(Int64(date.nanoseconds))]))
        case .sealed(let bytes): (sealedKey, .data(bytes))
        default: nil
        }
    }

    /// A function that decodes a text in a dictionary, or returns the result of an earlier call for the same text.
    ///
    /// Its arguments are the index of the text among the keys and the values of the dictionary, and a closure that
    /// decodes the text.
    typealias TextDecoding = (_ index: Int, _ decode: () -> String?) -> String?

    /// Decodes the value that a dictionary at an offset of the file represents.
    static func value(
        of entries: [(String, Value)], at offset: Int, _ decodedText: TextDecoding = { $1() }
    ) throws(PropertyListError) -> Value {
        guard entries.count == 1, entries[0].0.utf8.first == UInt8(ascii: "$") else {
            return .record(try record(of: entries, at: offset, decodedText))
        }
        switch entries[0] {
        case (stringKey, .data(let bytes)):
            guard let text = decodedText(1, { String(validating: bytes, as: UTF8.self) }) else {
                throw PropertyListError("\(stringKey) is not UTF-8", at: offset)
            }
            return .string(text)
        case (realKey, .string(negativeZero)): return .real(-0.0)
        case (sealedKey, .data(let bytes)): return .sealed(bytes)
        case (dateKey, .array(let parts)):
            guard parts.count == 2, case .integer(let seconds) = parts[0], case .integer(let part) = parts[1],
                let nanoseconds = UInt32(exactly: part),
                let date = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
            else { throw PropertyListError("\(dateKey) is not seconds and nanoseconds", at: offset) }
            return .date(date)
        case (stringKey, _), (realKey, _), (dateKey, _), (sealedKey, _):
            throw PropertyListError("the value of \(entries[0].0) is invalid", at: offset)
        default: return .record(try record(of: entries, at: offset, decodedText))
        }
    }

    /// Decodes the record that a dictionary at an offset of the file represents.
    static func record(
        of entries: [(String, Value)], at offset: Int, _ decodedText: TextDecoding = { $1() }
    ) throws(PropertyListError) -> Record {
        var fields = entries
        // A key that does not begin with `$` is the name itself. `Record` rejects an empty name.
        for index in fields.indices where fields[index].0.utf8.first == UInt8(ascii: "$") {
            let key = fields[index].0
            guard let name = decodedText(index, { NameCoding.name(of: key) }) else {
                let reason = "the key \"\(key.escapedForMessage)\" is not a valid name"
                throw PropertyListError(reason, at: offset)
            }
            fields[index].0 = name
        }
        do {
            return try Record(fields)
        } catch {
            throw PropertyListError(error.reason, at: offset)
        }
    }
}
