private let base64Alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
private let base64Padding = UInt8(ascii: "=")
/// The number that each letter encodes, or 64 for a byte outside the alphabet.
private let base64Numbers: [UInt8] = {
    var numbers = [UInt8](repeating: 64, count: 256)
    for (number, letter) in base64Alphabet.enumerated() { numbers[Int(letter)] = UInt8(number) }
    return numbers
}()

// The base64 encoding of data (RFC 4648, section 4).
extension [UInt8] {
    /// Decodes a base64 text. Returns `nil` if the text is not base64 with padding. White space is ignored.
    init?(base64 text: ArraySlice<UInt8>) {
        let numbers = base64Numbers
        self.init()
        reserveCapacity(text.count / 4 * 3 + 3)
        var (bits, letterCount, paddingCount): (UInt32, Int, Int) = (0, 0, 0)
        for letter in text where !XMLReader.isSpace(letter) {
            if letter == base64Padding {
                paddingCount += 1
                continue
            }
            let number = numbers[Int(letter)]
            guard number < 64, paddingCount == 0 else { return nil }
            bits = bits << 6 | UInt32(number)
            letterCount += 1
            // Every letter after the first one of a group of four completes a byte.
            let rest = 6 - 2 * ((letterCount - 1) % 4)
            if rest < 6 { append(UInt8(truncatingIfNeeded: bits >> rest)) }
        }
        guard [(0, 0), (2, 2), (3, 1)].contains(where: { $0 == (letterCount % 4, paddingCount) }) else { return nil }
    }

    /// The data as base64 text.
    var base64: [UInt8] {
        let alphabet = base64Alphabet
        var text: [UInt8] = []
        text.reserveCapacity((count + 2) / 3 * 4)
        for start in stride(from: 0, to: count, by: 3) {
            let byteCount = Swift.min(3, count - start)
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < byteCount ? Int(self[start + $1]) : 0) }
            for letter in 0..<4 {
                text.append(letter <= byteCount ? alphabet[bits >> (18 - 6 * letter) & 63] : base64Padding)
            }
        }
        return text
    }
}

extension String {
    /// Whether a property list can represent the string as text: every XML reader returns it unchanged.
    ///
    /// XML 1.0 (section 2.2) allows no control characters except tab, line feed and carriage return. Readers convert a
    /// carriage return to a line feed, and remove a byte order mark at the start.
    var isPrintable: Bool {
        utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x09 || $0 == 0x0A }
            || unicodeScalars.allSatisfy(\.isPrintable)
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

// The encoding of values that a property list cannot represent exactly. Such a value becomes a dictionary with one
// entry:
//
// - `{$string: data}` for text with control characters;
// - `{$date: [seconds, nanoseconds]}` for dates with a fraction of a second or outside the years 1 to 9999;
// - `{$real: "-0.0"}` for negative zero;
// - `{$sealed: data}` for sealed values.
extension Value {
    private static let negativeZero = "-0.0"

    /// The maximum nesting depth of an element within a record of an XML file. The deepest elements are the two
    /// integers of a `$date` in an array with the depth `Record.maximumDepth`.
    static let maximumElementDepth = Record.maximumDepth + 3

    /// The key and the value of the dictionary that encodes the value, or `nil` if a property list can represent the
    /// value itself.
    var wrapped: (key: String, value: Value)? {
        switch self {
        case .string(let text) where !text.isPrintable: ("$string", .data(Array(text.utf8)))
        case .real(let number) where number == 0 && number.sign == .minus: ("$real", .string(Self.negativeZero))
        case .date(let date) where date.nanoseconds != 0 || !Timestamp.plainSeconds.contains(date.seconds):
            ("$date", .array([.integer(date.seconds), .integer(Int64(date.nanoseconds))]))
        case .sealed(let bytes): ("$sealed", .data(bytes))
        default: nil
        }
    }

    /// Decodes the value that a dictionary at an offset of the file represents.
    ///
    /// - Parameters:
    ///   - entries: The entries of the dictionary.
    ///   - offset: The position of the dictionary.
    ///   - decodedText: A closure that decodes a text, or returns the result of an earlier call for the same text. Its
    ///     arguments are the index of the text among the keys and the values of the dictionary, and a closure that
    ///     decodes the text.
    /// - Throws: ``PropertyListError`` if a value or the name of a field is invalid.
    init(
        propertyListEntries entries: [(String, Value)], at offset: Int,
        _ decodedText: (_ index: Int, _ decode: () -> String?) -> String? = { $1() }
    ) throws(PropertyListError) {
        switch entries.count == 1 ? entries[0] : ("", .array([])) {
        case ("$string", .data(let bytes)):
            guard let text = decodedText(1, { String(validating: bytes, as: UTF8.self) }) else {
                throw PropertyListError("$string is not UTF-8", at: offset)
            }
            self = .string(text)
        case ("$real", .string(Self.negativeZero)): self = .real(-0.0)
        case ("$sealed", .data(let bytes)): self = .sealed(bytes)
        case ("$date", .array(let parts)):
            guard parts.count == 2, case .integer(let seconds) = parts[0], case .integer(let part) = parts[1],
                let nanoseconds = UInt32(exactly: part),
                let date = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
            else { throw PropertyListError("$date is not seconds and nanoseconds", at: offset) }
            self = .date(date)
        case ("$string", _), ("$real", _), ("$date", _), ("$sealed", _):
            throw PropertyListError("the value of \(entries[0].0) is invalid", at: offset)
        default:
            var fields = entries
            // A key that does not begin with `$` is the name itself. `Record` rejects an empty name.
            for index in fields.indices where fields[index].0.utf8.first == UInt8(ascii: "$") {
                let key = fields[index].0
                guard let name = decodedText(index, { String(propertyListKey: key) }) else {
                    let reason = "the key \"\(key.escapedForMessage)\" is not a valid name"
                    throw PropertyListError(reason, at: offset)
                }
                fields[index].0 = name
            }
            do {
                self = .record(try Record(fields))
            } catch {
                throw PropertyListError(error.reason, at: offset)
            }
        }
    }
}
