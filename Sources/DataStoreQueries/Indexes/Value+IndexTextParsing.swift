extension Value {
    /// Creates the value that an index text represents. Returns `nil` for data, an array, a record, a sealed
    /// value or an incomplete text. An integer and a real that are equal have the same text, which becomes the integer.
    init?(indexText text: Span<UInt8>) {
        guard text.count > 1 else { return nil }
        let rest = text.extracting(droppingFirst: 1)
        switch text[0] {
        case UInt8(ascii: "1"): self = .bool(rest[0] == UInt8(ascii: "1"))
        case UInt8(ascii: "2"):
            guard let ordered = Self.number(rest, at: 0, digits: Self.wordDigits),
                let remaining = Self.number(rest, at: Self.wordDigits, digits: Self.remainingDigits)
            else { return nil }
            let bits = ordered >> 63 == 1 ? ordered ^ 1 << 63 : ~ordered
            let real = ordered == .max ? .nan : Double(bitPattern: bits)
            if let whole = Int64(exactly: real) {
                let (sum, isBeyond) = whole.addingReportingOverflow(Int64(remaining))
                self = isBeyond ? .real(real) : .integer(sum)
            } else {
                self = .real(real)
            }
        case UInt8(ascii: "3"):
            guard let seconds = Self.number(rest, at: 0, digits: Self.wordDigits), rest.count > Self.wordDigits,
                let nanoseconds = rest[Self.wordDigits] == Self.wholeSeconds
                    ? 0 : Self.number(rest, at: Self.wordDigits, digits: Self.nanosecondDigits),
                let date = Timestamp(
                    seconds: Int64(bitPattern: seconds) ^ .min, nanoseconds: UInt32(truncatingIfNeeded: nanoseconds))
            else { return nil }
            self = .date(date)
        case UInt8(ascii: "4"): self = .string(String(decoding: Self.unescaped(rest), as: UTF8.self))
        default: return nil
        }
    }

    private static func number(_ text: Span<UInt8>, at start: Int, digits: Int) -> UInt64? {
        guard text.count >= start + digits else { return nil }
        var number: UInt64 = 0
        for index in start..<(start + digits) { number = number << 6 | UInt64(text[index] &- UInt8(ascii: "0")) }
        return number
    }

    /// Removes the end marker of an escaped text, and returns the bytes of the text with the escapes undone.
    private static func unescaped(_ text: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index + 2 < text.count {
            let isEscaped = text[index] == 1
            bytes.append(isEscaped ? text[index + 1] &- 2 : text[index])
            index += isEscaped ? 2 : 1
        }
        return bytes
    }
}
