/// The decoder of Punycode (RFC 3492), the ASCII form of a domain label in another script.
enum Punycode {
    /// The greatest number of scalars times the greatest scalar. A greater delta is invalid, so no number overflows.
    private static let maximumDelta = 64 * 0x11_0000

    /// Decodes a label. The time is bounded, because a domain label has at most 63 bytes.
    ///
    /// - Parameter label: The bytes of the label after `xn--`, in lowercase.
    /// - Returns: The decoded text, or `nil` if the bytes are not Punycode or the text contains a control character.
    static func decode(_ label: [UInt8]) -> String? {
        guard label.count <= 63 else { return nil }
        // The last hyphen ends the ASCII characters. Without any, the label has no such hyphen.
        let asciiCount = label.lastIndex(of: UInt8(ascii: "-")) ?? 0
        var scalars = label[..<asciiCount].map { Unicode.Scalar($0) }
        var digits = label[(asciiCount > 0 ? asciiCount + 1 : 0)...]
        guard !digits.isEmpty, scalars.allSatisfy(\.isASCII) else { return nil }
        var (code, position, bias) = (128, 0, 72)
        while !digits.isEmpty {
            let start = position
            var (weight, base) = (1, 36)
            while true {
                guard let digit = digits.popFirst().flatMap(value) else { return nil }
                guard digit <= (maximumDelta - position) / weight else { return nil }
                position += digit * weight
                let threshold = min(max(base - bias, 1), 26)
                if digit < threshold { break }
                weight *= 36 - threshold
                base += 36
            }
            let count = scalars.count + 1
            bias = adapted(position - start, count, isFirst: start == 0)
            code += position / count
            position %= count
            // A control character would make the text dangerous on a terminal. No label contains one.
            guard code >= 0xA0, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
            scalars.insert(scalar, at: position)
            position += 1
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Returns the value of a digit: `a` to `z` are 0 to 25, and `0` to `9` are 26 to 35.
    private static func value(_ digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    /// Returns the bias after a delta (RFC 3492, section 6.1).
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > 455 {
            delta /= 35
            steps += 36
        }
        return steps + 36 * delta / (delta + 38)
    }
}
