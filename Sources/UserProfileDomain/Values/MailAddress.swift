/// A mail address, kept as typed. Create one from text that a person entered, and show the error if it is invalid.
///
/// ```swift
/// do {
///     try await storage.profiles.saveMailAddress(MailAddress(text))
/// } catch let error as ValidationError {
///     print(error)  // "vision@@example.com" is not a mail address: …
/// }
/// ```
///
/// It is a `Mailbox` of RFC 5321, section 4.1.2, with UTF-8 in the local part and the domain (RFC 6531, section 3.3):
///
/// - The local part is a dot-string or a quoted string of at most 64 bytes.
/// - The domain has labels of letters of any script, digits and inner hyphens, each of at most 63 bytes, together at
///   most 253; or it is an address literal such as `[192.0.2.1]` or `[IPv6:2001:db8::1]`.
/// - The whole address has at most 254 bytes.
///
/// White space around it, comments, obsolete syntax and control characters (RFC 5198) are rejected.
public struct MailAddress: Sendable {
    /// The exact text from which the address was created.
    public let text: String

    /// The part before the `@`, with the case of the input.
    package var localPart: Substring { text[..<at] }

    /// The part after the `@`, with the case of the input.
    public var domain: Substring { text[text.utf8.index(after: at)...] }

    /// The position of the last `@`, because only a quoted local part may contain others.
    private var at: String.Index { text.utf8.lastIndex(of: UInt8(ascii: "@")) ?? text.startIndex }

    /// Validates a mail address.
    ///
    /// - Parameter text: The address, without surrounding white space.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) {
        if !MailAddress.isPlain(text) {
            var reader = TextReader(text, as: .mailAddress)
            try reader.mailbox()
        }
        self.text = text
    }

    /// Returns whether a text is certainly a mail address: ASCII letters and digits with one `@` and single separators
    /// between them. Nearly all addresses are, and this takes much less time than the grammar.
    private static func isPlain(_ text: String) -> Bool {
        // Within 64 bytes, neither a local part (at most 64 bytes) nor a label (at most 63 bytes) exceeds its limit.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        let bytes = text.utf8.span
        guard (8...64).contains(bytes.count) else { return false }
        // One bit for each byte of the text.
        var separators = UInt64.max >> UInt64(64 - bytes.count)
        let ends = separators & ~(separators >> 1) | 1
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            // The last eight bytes may overlap the ones before them.
            let start = min(offset, bytes.count - 8)
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self)
            separators &= ~(lettersAndDigits(in: UInt64(littleEndian: word)) << UInt64(start))
        }
        // No separator is at an end, or next to another one.
        guard separators & (ends | separators << 1) == 0 else { return false }
        var hasAt = false
        while separators != 0 {
            switch bytes[separators.trailingZeroBitCount] {
            case UInt8(ascii: "."), UInt8(ascii: "-"): break
            case _ where hasAt: return false
            case UInt8(ascii: "_"), UInt8(ascii: "+"): break
            case UInt8(ascii: "@"): hasAt = true
            default: return false
            }
            separators &= separators - 1
        }
        return hasAt
    }

    /// Returns which of eight bytes are ASCII letters or digits, as a number with one bit for each byte. It examines
    /// all of them at once.
    @inline(__always)
    private static func lettersAndDigits(in bytes: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high = ones << 7
        // The highest bit of each sum states whether an ASCII byte is at least the given character.
        func isAtLeast(_ character: UInt8, _ bytes: UInt64) -> UInt64 {
            (bytes & ~high) &+ ones &* UInt64(0x80 - character)
        }
        let lowercase = bytes | ones << 5
        let letters = isAtLeast(UInt8(ascii: "a"), lowercase) & ~isAtLeast(UInt8(ascii: "z") + 1, lowercase)
        let digits = isAtLeast(UInt8(ascii: "0"), bytes) & ~isAtLeast(UInt8(ascii: "9") + 1, bytes)
        // The product has the highest bits next to each other in its highest byte.
        return (((letters | digits) & ~bytes & high) &* 0x0002_0408_1020_4081) >> 56
    }
}

extension MailAddress: TextValue {
    /// Returns whether two addresses are equal.
    ///
    /// The local parts must have the same bytes, where quotes that are not needed do not count. The domains may differ
    /// in the case of ASCII letters, and a label in Punycode (`xn--…`) equals the label that it encodes:
    ///
    /// ```swift
    /// try MailAddress("\"a\"@xn--exmple-cua.DE") == MailAddress("a@exämple.de")      // true
    /// ```
    public static func == (left: MailAddress, right: MailAddress) -> Bool {
        comparable(left.text).utf8.elementsEqual(comparable(right.text).utf8)
    }

    /// Hashes the comparable form, consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        for byte in MailAddress.comparable(text).utf8 { hasher.combine(byte) }
    }
}

extension UInt8 {
    /// The lowercase letter if this byte is an uppercase ASCII letter. Otherwise the byte itself.
    var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension MailAddress {
    /// Returns the comparable form of a mail address. Two addresses are equal if their comparable forms have the same
    /// bytes.
    ///
    /// - A quoted local part loses quotes and backslashes that it does not need.
    /// - The ASCII letters of the domain are lowercased.
    /// - A domain label in Punycode (`xn--…`) is decoded.
    ///
    /// The form depends on no Unicode tables, because these differ between systems: it neither folds the case of other
    /// letters nor normalizes them.
    ///
    /// - Parameter text: A mail address, or the text that a query searches for in mail addresses.
    /// - Returns: The comparable form. A string without `@` is returned unchanged.
    package static func comparable(_ text: String) -> String {
        // Every save and every look-up calls this function, and nearly all addresses are already comparable.
        if text.isObviouslyComparable { return text }
        let bytes = Array(text.utf8)
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return text }
        var comparable = String(decoding: unquoted(bytes[..<at]), as: UTF8.self) + "@"
        let labels = bytes[(at + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        comparable += labels.lazy.map(comparableLabel).joined(separator: ".")
        return comparable
    }

    private static func comparableLabel(_ label: ArraySlice<UInt8>) -> String {
        let label = label.map(\.asciiLowercased)
        let prefix = Array("xn--".utf8)
        let decoded = label.starts(with: prefix) ? String(punycode: Array(label.dropFirst(prefix.count))) : nil
        return decoded ?? String(decoding: label, as: UTF8.self)
    }

    /// Returns a local part without the quotes and backslashes that it does not need. Any other text, e.g. an
    /// incomplete local part, is returned unchanged.
    private static func unquoted(_ local: ArraySlice<UInt8>) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard local.count >= 2, local.first == quote, local.last == quote else { return Array(local) }
        var content: [UInt8] = []
        var rest = local.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            guard let unescaped = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte else { return Array(local) }
            content.append(unescaped)
        }
        let atoms = content.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // An unquoted local part may contain non-ASCII characters.
        let isDotString = atoms.allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { $0 >= 0x80 || Unicode.Scalar($0).isAtomText }
        }
        if isDotString { return content }
        let escaped = content.flatMap { $0 == quote || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] }
        return [quote] + escaped + [quote]
    }
}

extension String {
    /// Whether the text contains neither an uppercase ASCII letter nor a quote nor two adjacent hyphens. Such an
    /// address is its own comparable form.
    fileprivate var isObviouslyComparable: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        let bytes = utf8.span
        var previous: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if byte &- UInt8(ascii: "A") < 26 || byte == UInt8(ascii: "\"") { return false }
            if byte == UInt8(ascii: "-"), previous == byte { return false }
            previous = byte
        }
        return true
    }

    // Punycode (RFC 3492) is the ASCII form of a domain label in another script.

    /// Decodes a label from Punycode, or returns `nil` if the bytes are not Punycode or the text contains a control
    /// character. The time is bounded, because a domain label has at most 63 bytes.
    ///
    /// - Parameter label: The bytes of the label after `xn--`, in lowercase.
    fileprivate init?(punycode label: [UInt8]) {
        guard label.count <= 63 else { return nil }
        // The greatest number of scalars times the greatest scalar. A greater delta is invalid, so no number overflows.
        let maximumDelta = 64 * 0x11_0000
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
                // The digits are `a` to `z`, then `0` to `9`. In base 36, the letters come last.
                guard let letter = digits.popFirst().map({ String(Unicode.Scalar($0)) }),
                    let digit = Int(letter, radix: 36).map({ ($0 + 26) % 36 })
                else { return nil }
                guard digit <= (maximumDelta - position) / weight else { return nil }
                position += digit * weight
                let threshold = Swift.min(Swift.max(base - bias, 1), 26)
                if digit < threshold { break }
                weight *= 36 - threshold
                base += 36
            }
            let count = scalars.count + 1
            bias = String.punycodeBias(after: position - start, count, isFirst: start == 0)
            code += position / count
            position %= count
            // A control character would make the text dangerous on a terminal. No label contains one.
            guard code >= 0xA0, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
            scalars.insert(scalar, at: position)
            position += 1
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        self.init(text)
    }

    /// Returns the bias after a delta (RFC 3492, section 6.1).
    private static func punycodeBias(after delta: Int, _ count: Int, isFirst: Bool) -> Int {
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
