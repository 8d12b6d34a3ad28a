/// A mail address: a Mailbox of RFC 5321, section 4.1.2, with UTF-8 in local part and domain as RFC 6531, section 3.3,
/// allows.
///
/// - The local part is a dot-string or a quoted string of at most 64 octets.
/// - The domain is dot-separated labels of letters, digits and inner hyphens (or non-ASCII letters), each of at most 63
///   octets and together at most 253; or an address literal like `[192.0.2.1]` or `[IPv6:2001:db8::1]`.
/// - The whole has at most 254 octets.
///
/// Nothing is trimmed or folded: the address is kept as it was typed. White space around it, comments and obsolete
/// forms are refused, and so are control characters (RFC 5198).
public struct MailAddress: Sendable {
    /// The address as it was typed.
    public let text: String

    /// What stands before the `@`, as it was typed.
    public var localPart: Substring { text[..<at] }

    /// What stands after the `@`, as it was typed.
    public var domain: Substring { text[text.utf8.index(after: at)...] }

    /// Where the `@` stands between local part and domain. (A quoted local part may have others; a domain has none.)
    private var at: String.Index { text.utf8.lastIndex(of: UInt8(ascii: "@")) ?? text.startIndex }

    /// Takes an address.
    ///
    /// - Parameter text: the address, without anything around it.
    /// - Throws: ``ValidationError`` that says which rule the text breaks and where.
    public init(_ text: String) throws(ValidationError) {
        if !PlainMailAddress.matches(text) {
            var grammar = MailAddressGrammar(text)
            try grammar.mailbox()
        }
        self.text = text
    }
}

extension MailAddress: TextValue {
    /// Whether the local parts have the same bytes, and the domains, too, but for the case of ASCII letters.
    public static func == (left: MailAddress, right: MailAddress) -> Bool {
        left.localPart.utf8.elementsEqual(right.localPart.utf8)
            && left.domain.utf8.elementsEqual(right.domain.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        for byte in localPart.utf8 { hasher.combine(byte) }
        for byte in domain.utf8 { hasher.combine(byte.asciiLowercased) }
    }
}

extension UInt8 {
    /// The small letter of a capital ASCII letter; every other byte as it is.
    var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
