/// A mail address: a `Mailbox` of RFC 5321, section 4.1.2, with UTF-8 in the local part and the domain (RFC 6531,
/// section 3.3).
///
/// - The local part is a dot-string or a quoted string of at most 64 bytes.
/// - The domain consists of labels separated by dots. A label consists of ASCII or non-ASCII letters, digits and inner
///   hyphens. A label has at most 63 bytes, and the domain at most 253.
/// - The domain may also be an address literal such as `[192.0.2.1]` or `[IPv6:2001:db8::1]`.
/// - The whole address has at most 254 bytes.
///
/// The address keeps the exact text of the input. The initializer rejects surrounding white space, comments, obsolete
/// syntax and control characters (RFC 5198).
public struct MailAddress: Sendable {
    private enum Storage {
        case string(String)
        case inline(InlineText)
    }

    private let storage: Storage

    /// The exact text from which the address was created.
    public var text: String {
        switch storage {
        case .string(let text): text
        case .inline(let text): text.text
        }
    }

    /// The part before the `@`, with the case of the input.
    package var localPart: Substring { parts.local }

    /// The part after the `@`, with the case of the input.
    public var domain: Substring { parts.domain }

    /// The parts before and after the `@`. It is the last `@`, because only a quoted local part may contain others.
    private var parts: (local: Substring, domain: Substring) {
        // Both parts share one string, because each access to `text` may create a new one.
        let text = text
        let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) ?? text.startIndex
        return (text[..<at], text[text.utf8.index(after: at)...])
    }

    /// Validates a mail address.
    ///
    /// - Parameter text: The address, without surrounding white space.
    /// - Throws: ``ValidationError`` if the text is invalid. The error states the rule and where it is violated.
    public init(_ text: String) throws(ValidationError) {
        if !PlainMailAddress.matches(text) {
            var grammar = MailAddressGrammar(text)
            try grammar.mailbox()
        }
        storage = .string(text)
    }

    /// Creates a mail address from a simple one.
    package init(_ plain: PlainMailAddress) { storage = .inline(plain.text) }
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
        if case (.inline(let left), .inline(let right)) = (left.storage, right.storage), left == right { return true }
        return comparable(left.text).utf8.elementsEqual(comparable(right.text).utf8)
    }

    /// Hashes the comparable form, consistently with `==`.
    public func hash(into hasher: inout Hasher) {
        for byte in MailAddress.comparable(text).utf8 { hasher.combine(byte) }
    }
}

extension UInt8 {
    /// The lowercase letter if this byte is an uppercase ASCII letter. Otherwise the byte itself.
    var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
