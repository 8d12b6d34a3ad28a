import Glibc

/// A second, slow reader of mail addresses. It follows the grammar of RFC 5321, section 4.1.2, rule by rule, tries each
/// `@` as the one between the parts, and leaves IP addresses to the C library.
enum MailReference {
    private typealias Scalars = ArraySlice<Unicode.Scalar>

    static func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return byteCount(scalars[...]) <= 254
            && scalars.indices.contains { index in
                scalars[index] == "@" && isLocalPart(scalars[..<index]) && isDomain(scalars[(index + 1)...])
            }
    }

    private static func byteCount(_ scalars: Scalars) -> Int { scalars.reduce(0) { $0 + UTF8.width($1) } }

    private static func split(_ scalars: Scalars, _ separator: Unicode.Scalar) -> [Scalars] {
        scalars.split(separator: separator, omittingEmptySubsequences: false)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

    private static func isASCIILetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal)
    }

    // MARK: Local part

    private static func isLocalPart(_ part: Scalars) -> Bool {
        byteCount(part) <= 64 && (isDotString(part) || isQuotedString(part))
    }

    private static func isDotString(_ part: Scalars) -> Bool {
        part.first?.properties.isWhitespace == false
            && split(part, ".").allSatisfy { atom in !atom.isEmpty && atom.allSatisfy(isAtomText) }
    }

    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return !isControl(scalar) }
        return isASCIILetterOrDigit(scalar) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
    }

    private static func isQuotedString(_ part: Scalars) -> Bool {
        guard part.count >= 2, part.first == "\"", part.last == "\"" else { return false }
        return isQuotedContent(part.dropFirst().dropLast())
    }

    private static func isQuotedContent(_ content: Scalars) -> Bool {
        var rest = content
        while let first = rest.popFirst() {
            if first == "\\" {
                guard let quoted = rest.popFirst(), (32...126).contains(quoted.value) else { return false }
            } else if first == "\"" || isControl(first) {
                return false
            }
        }
        return true
    }

    // MARK: Domain

    private static func isDomain(_ domain: Scalars) -> Bool {
        if domain.first == "[" {
            guard domain.last == "]", domain.count >= 2, domain.allSatisfy(\.isASCII) else { return false }
            return isAddressLiteral(domain.dropFirst().dropLast())
        }
        return byteCount(domain) <= 253 && split(domain, ".").allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Scalars) -> Bool {
        guard let first = label.first, first != "-", label.last != "-", byteCount(label) <= 63 else { return false }
        return isLetter(first, mayContinue: false)
            && label.dropFirst().allSatisfy { $0 == "-" || isLetter($0, mayContinue: true) }
    }

    private static func isLetter(_ scalar: Unicode.Scalar, mayContinue: Bool) -> Bool {
        if scalar.isASCII { return isASCIILetterOrDigit(scalar) }
        let letters: [Unicode.GeneralCategory] = [
            .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        ]
        let others: [Unicode.GeneralCategory] = mayContinue ? [.nonspacingMark, .spacingMark, .decimalNumber] : []
        return (letters + others).contains(scalar.properties.generalCategory)
    }

    // MARK: Address literal

    private static func isAddressLiteral(_ literal: Scalars) -> Bool {
        let text = literal.map { String($0) }.joined()
        guard text.prefix(5).lowercased() == "ipv6:" else { return isIPv4(text) }
        let address = String(text.dropFirst(5))
        // The C library accepts `::` for a single group of zeros, and the grammar does not.
        let groups = address.split(separator: ":").reduce(0) { $0 + ($1.contains(".") ? 2 : 1) }
        guard let withoutZeros = withoutLeadingZeros(address) else { return false }
        return isAddress(withoutZeros, AF_INET6) && (!address.contains("::") || groups <= 6)
    }

    private static func isIPv4(_ text: String) -> Bool {
        guard text.allSatisfy({ $0 == "." || $0.isNumber }) else { return false }
        return withoutLeadingZeros(text).map { isAddress($0, AF_INET) } ?? false
    }

    /// Removes the leading zeros of the decimal numbers, which the C library rejects; `nil` if one has more than three
    /// digits.
    private static func withoutLeadingZeros(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, last.contains(".") else { return text }
        let numbers = last.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.allSatisfy({ $0.count <= 3 }) else { return nil }
        let shortened = numbers.map { number in
            let digits = number.drop { $0 == "0" }
            return digits.isEmpty && !number.isEmpty ? "0" : String(digits)
        }
        return (parts.dropLast().map(String.init) + [shortened.joined(separator: ".")]).joined(separator: ":")
    }

    private static func isAddress(_ text: String, _ family: Int32) -> Bool {
        // A zero byte would end the text early.
        guard !text.utf8.contains(0) else { return false }
        var address = in6_addr()
        return unsafe inet_pton(family, text, &address) == 1
    }
}
