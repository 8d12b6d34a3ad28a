// An index entry begins with the index text of its value. The byte order of these texts is the order of sorts: equal
// values have the same text, and no text is a prefix of another one. The texts are UTF-8 without NUL, so that they can
// be part of an id.
extension Value {
    /// The index text of a missing value.
    static let missingIndexText = [UInt8(ascii: "0")]

    /// The index text of the value, with which an index entry begins.
    package var indexText: [UInt8] {
        var text: [UInt8] = []
        // The capacity suffices for most values and for the id that follows.
        text.reserveCapacity(64)
        appendIndexText(to: &text)
        return text
    }

    /// The first byte of the index texts of all values of this kind, which is the position of the kind in the order of
    /// sorts. Integers and reals have the same first byte.
    var indexTag: UInt8 {
        switch self {
        case .bool: UInt8(ascii: "1")
        case .integer, .real: UInt8(ascii: "2")
        case .date: UInt8(ascii: "3")
        case .string: UInt8(ascii: "4")
        case .data: UInt8(ascii: "5")
        case .array: UInt8(ascii: "6")
        case .record: UInt8(ascii: "7")
        case .sealed: UInt8(ascii: "8")
        }
    }

    /// Appends the index text of the value to an array of bytes.
    package func appendIndexText(to text: inout [UInt8]) {
        text.append(indexTag)
        switch self {
        case .bool(let flag): text.append(UInt8(ascii: flag ? "1" : "0"))
        case .integer(let number): Value.append(number, to: &text)
        case .real(let number): Value.append(number, plus: 0, to: &text)
        case .date(let date):
            Value.append(UInt64(bitPattern: date.seconds ^ .min), digits: Value.wordDigits, to: &text)
            if date.nanoseconds == 0 {
                text.append(Value.wholeSeconds)
            } else {
                Value.append(UInt64(date.nanoseconds), digits: Value.nanosecondDigits, to: &text)
            }
        case .string(let string): Value.append(string, to: &text)
        case .data(let bytes): Value.append(bytes[...], to: &text)
        case .sealed(let bytes): Value.append(SealedValue.comparableBytes(of: bytes), to: &text)
        case .array(let elements):
            for element in elements { element.appendIndexText(to: &text) }
            Value.appendEnd(to: &text)
        case .record(let record):
            for field in record {
                Value.append(field.name, to: &text)
                field.value.appendIndexText(to: &text)
            }
            Value.appendEnd(to: &text)
        }
    }

    /// Appends the index text of a string, given as UTF-8. Returns `false` and appends nothing if the string contains a
    /// byte that must be escaped.
    static func appendIndexText(ofString string: Span<UInt8>, to text: inout [UInt8]) -> Bool {
        var least = UInt8.max
        for index in string.indices { least = min(least, string[index]) }
        guard least > 1 else { return false }
        text.append(addingCapacity: string.count + 3) { end in
            end.append(UInt8(ascii: "4"))
            CBOREncoder.append(string, &end)
            end.append(1)
            end.append(1)
        }
        return true
    }

    // MARK: Texts

    /// Appends the end marker of an index text of variable length. The marker is less than any bytes that could
    /// continue the text.
    private static func appendEnd(to text: inout [UInt8]) {
        text.append(1)
        text.append(1)
    }

    /// Appends each byte as the Unicode scalar with its number. The UTF-8 of these scalars has the same order.
    private static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        for byte in bytes {
            if byte < 0x80 {
                append(byte, to: &text)
            } else {
                text.append(0xC0 | byte >> 6)
                text.append(0x80 | byte & 0x3F)
            }
        }
        appendEnd(to: &text)
    }

    private static func append(_ string: String, to text: inout [UInt8]) {
        appendBeginning(string, to: &text)
        appendEnd(to: &text)
    }

    /// Appends a string as in an index text, but without the end marker. The index texts of all strings that begin with
    /// `string` have these bytes in common.
    static func appendBeginning(_ string: String, to text: inout [UInt8]) {
        let start = text.count
        text.append(contentsOf: string.utf8)
        var least = UInt8.max
        for index in start..<text.count { least = min(least, text[index]) }
        guard least <= 1 else { return }
        text.removeSubrange(start...)
        for byte in string.utf8 { append(byte, to: &text) }
    }

    /// Appends a byte of UTF-8. The byte 0 becomes the bytes 1 2, and the byte 1 becomes the bytes 1 3. Both pairs are
    /// greater than the end marker 1 1 and less than any other byte.
    @inline(__always)
    private static func append(_ byte: UInt8, to text: inout [UInt8]) {
        if byte > 1 { text.append(byte) } else { text += [1, byte + 2] }
    }

    // MARK: Numbers

    /// Appends an integer as the greatest real that is not greater than the integer, and the difference.
    private static func append(_ integer: Int64, to text: inout [UInt8]) {
        var real = Double(integer)
        // A real that was rounded up is greater than the integer, or even than all integers.
        if real >= 0x1p63 || Int64(real) > integer { real = real.nextDown }
        append(real, plus: UInt64(integer - Int64(real)), to: &text)
    }

    private static func append(_ real: Double, plus remaining: UInt64, to text: inout [UInt8]) {
        // The bits of positive reals have the order of the reals, and those of negative reals the reverse order. All
        // NaNs are equal and come last; -0.0 is equal to 0.0.
        let bits = real == 0 ? 0 : real.bitPattern
        let ordered = real.isNaN ? .max : bits >> 63 == 0 ? bits | 1 << 63 : ~bits
        append(ordered, digits: Value.wordDigits, to: &text)
        // Neighboring reals near the largest integers differ by 1024.
        append(remaining, digits: remainingDigits, to: &text)
    }

    /// The index text of NaN, which sorts after all other numbers.
    static let notANumberIndexText = Value.real(.nan).indexText

    /// The numbers of digits of 64 bits, of nanoseconds, and of a number less than 1024.
    static var wordDigits: Int { 11 }
    static var nanosecondDigits: Int { 5 }
    static var remainingDigits: Int { 2 }

    /// What follows the seconds of a date without nanoseconds. It is less than any digit.
    static var wholeSeconds: UInt8 { UInt8(ascii: ".") }

    /// Appends a number as a fixed number of digits to the base 64, with leading zeros. The digits are the ASCII
    /// characters from `0` to `o`, which have the order of the numbers.
    static func append(_ number: UInt64, digits: Int, to text: inout [UInt8]) {
        text.append(addingCapacity: digits) { end in
            for digit in (0..<digits).reversed() {
                end.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number &>> UInt64(6 &* digit)) & 63)
            }
        }
    }

    // MARK: Length

    /// Returns the number of bytes of the first `componentCount` index texts of an entry, or `nil` if the entry does
    /// not begin with as many complete index texts.
    static func indexTextCount(in entry: Span<UInt8>, componentCount: Int) -> Int? {
        var count = 0
        for _ in 0..<componentCount {
            guard let end = endOfValue(in: entry, from: count), end <= entry.count else { return nil }
            count = end
        }
        return count
    }

    /// Returns the end of the index text that begins at an offset, or `nil` if the bytes are not an index text. If the
    /// text is truncated, the end may be after the end of the entry.
    @inline(__always)
    private static func endOfValue(in entry: Span<UInt8>, from offset: Int) -> Int? {
        guard offset < entry.count else { return nil }
        switch entry[offset] {
        case UInt8(ascii: "4"), UInt8(ascii: "5"), UInt8(ascii: "8"): return endOfText(in: entry, from: offset &+ 1)
        case UInt8(ascii: "0"): return offset &+ 1
        case UInt8(ascii: "1"): return offset &+ 2
        case UInt8(ascii: "2"): return offset &+ 1 &+ wordDigits &+ remainingDigits
        case UInt8(ascii: "3"):
            let end = offset &+ 1 &+ wordDigits
            return end < entry.count && entry[end] == wholeSeconds ? end &+ 1 : end &+ nanosecondDigits
        case UInt8(ascii: "6"): return endOfNested(in: entry, from: offset &+ 1, isRecord: false)
        case UInt8(ascii: "7"): return endOfNested(in: entry, from: offset &+ 1, isRecord: true)
        default: return nil
        }
    }

    /// Returns the end of the index text of an array or a record whose first element or field begins at an offset, or
    /// `nil` if the bytes are not such a text.
    private static func endOfNested(in entry: Span<UInt8>, from start: Int, isRecord: Bool) -> Int? {
        var offset = start
        while !(offset + 1 < entry.count && entry[offset] == 1 && entry[offset + 1] == 1) {
            if isRecord {
                guard let end = endOfText(in: entry, from: offset) else { return nil }
                offset = end
            }
            guard let end = endOfValue(in: entry, from: offset) else { return nil }
            offset = end
        }
        return offset + 2
    }

    /// Returns the end of a text of variable length that begins at an offset, or `nil` if it has no end marker.
    @inline(__always)
    private static func endOfText(in entry: Span<UInt8>, from offset: Int) -> Int? {
        // The text ends with two adjacent 1 bytes, which do not occur before its end. Reading every second byte
        // therefore finds one of them.
        var position = offset &+ 1
        while position < entry.count {
            if entry[position] == 1 {
                if entry[position &- 1] == 1 { return position &+ 1 }
                if position &+ 1 < entry.count && entry[position &+ 1] == 1 { return position &+ 2 }
            }
            position &+= 2
        }
        return nil
    }
}
