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
        let decoded = label.starts(with: prefix) ? Punycode.decode(Array(label.dropFirst(prefix.count))) : nil
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
            if byte != UInt8(ascii: "\\") {
                content.append(byte)
            } else if let escaped = rest.popFirst() {
                content.append(escaped)
            } else {
                return Array(local)
            }
        }
        let atoms = content.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if atoms.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isAtomText) }) { return content }
        let escaped = content.flatMap { $0 == quote || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] }
        return [quote] + escaped + [quote]
    }

    /// Returns whether a byte of a valid address may occur in an unquoted local part. Bytes of non-ASCII characters
    /// may.
    private static func isAtomText(_ byte: UInt8) -> Bool {
        byte >= 0x80 || MailAddressGrammar.isAtomText(Unicode.Scalar(byte))
    }
}

extension String {
    /// Whether the text contains neither an uppercase ASCII letter nor a quote nor two adjacent hyphens. Such an
    /// address is its own comparable form.
    fileprivate var isObviouslyComparable: Bool {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return false }
        let bytes = utf8.span
        var (found, previous) = (false, UInt8(0))
        for index in bytes.indices {
            let byte = bytes[index]
            let isHyphen = byte == UInt8(ascii: "-") && previous == UInt8(ascii: "-")
            found = found || isHyphen || byte &- UInt8(ascii: "A") < 26 || byte == UInt8(ascii: "\"")
            previous = byte
        }
        return !found
    }
}
