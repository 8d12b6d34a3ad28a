// The sortable text of a decimal number: the lexicographic order of these texts is the order of the numbers.
//
// A number is `0.DIGITS` times a power of ten, where the first and the last digit are not 0. The text of a positive
// number is `p`, the exponent plus 5,000 in four digits, and the digits: `p5002125` is 12.5. The text of a negative
// number is `n`, 5,000 minus the exponent, each digit's complement to 9, and `~`, so that a greater magnitude comes
// first. The text of zero is `o`.
extension String {
    /// The maximum number of characters of a decimal number, and the maximum magnitude of its exponent.
    private static let maximumDecimalCount = 4000
    private static let exponentBias = 5000

    /// The sortable text of a decimal number in any spelling, e.g. `-12.50`, `+7`, `.5` or `1e-07`. It is `nil` if this
    /// text is not a decimal number or is too long.
    package var sortableDecimal: String? {
        var bytes = utf8[...]
        guard bytes.count <= Self.maximumDecimalCount else { return nil }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
        var exponent = 0
        if let letter = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
            // `Int` parses a sign and digits, and nothing else.
            guard let power = Int(Substring(bytes[bytes.index(after: letter)...])) else { return nil }
            exponent = min(max(power, -3 * Self.maximumDecimalCount), 3 * Self.maximumDecimalCount)
            bytes = bytes[..<letter]
        }
        let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        var digits = bytes[..<point] + Array(bytes[point...].dropFirst())
        guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
        let zeroCount = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(zeroCount)
        exponent += bytes[..<point].count - zeroCount
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.isEmpty { return "o" }
        guard abs(exponent) <= Self.maximumDecimalCount else { return nil }
        if !isNegative { return "p\(exponent + Self.exponentBias)" + String(decoding: digits, as: UTF8.self) }
        let complements = digits.map { UInt8(ascii: "0") + UInt8(ascii: "9") - $0 }
        return "n\(Self.exponentBias - exponent)" + String(decoding: complements, as: UTF8.self) + "~"
    }

    /// The decimal number of which this text is the sortable text, e.g. `-12.5`, or `nil` if the text is invalid.
    package var decimalOfSortable: String? {
        if self == "o" { return "0" }
        let isNegative = utf8.first == UInt8(ascii: "n")
        guard isNegative || utf8.first == UInt8(ascii: "p") else { return nil }
        guard let biased = Int(dropFirst().prefix(4)) else { return nil }
        let exponent = isNegative ? Self.exponentBias - biased : biased - Self.exponentBias
        var digits = Array(utf8.dropFirst(5))
        if isNegative, digits.popLast() != UInt8(ascii: "~") { return nil }
        guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
            abs(exponent) <= Self.maximumDecimalCount
        else { return nil }
        if isNegative { digits = digits.map { UInt8(ascii: "0") + UInt8(ascii: "9") - $0 } }
        let text = String(decoding: digits, as: UTF8.self)
        let number: String
        if exponent <= 0 {
            number = "0." + String(repeating: "0", count: -exponent) + text
        } else if exponent >= digits.count {
            number = text + String(repeating: "0", count: exponent - digits.count)
        } else {
            number = "\(text.prefix(exponent)).\(text.dropFirst(exponent))"
        }
        return isNegative ? "-" + number : number
    }
}
