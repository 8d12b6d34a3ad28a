// The `Mailbox` of RFC 5321, section 4.1.2, with UTF-8 (RFC 6531, section 3.3).
extension TextReader {
    /// Parses the grammar rule `Mailbox = Local-part "@" ( Domain / address-literal )`.
    mutating func mailbox() throws(ValidationError) {
        guard !text.isEmpty else { throw ValidationError(.mailAddress, given: text, rule: "it is empty") }
        if next == "@" { throw validationError("the part before the @ is empty") }
        // Local-part = Dot-string / Quoted-string
        if next == "\"" { try quotedString() } else { try dotString() }
        guard offset <= 64 else {
            throw validationError("the part before the @ has \(offset) bytes, at most 64 are allowed", at: 64)
        }
        guard let separator = next else { throw validationError("an @ and a domain are missing") }
        guard separator == "@" else { throw disallowed(separator, "in the part before the @") }
        rest.removeFirst()
        guard next != nil else { throw validationError("the domain after the @ is missing") }
        if next == "[" { try addressLiteral() } else { try domain() }
        guard offset <= 254 else { throw validationError("it has \(offset) bytes, at most 254 are allowed", at: 254) }
    }

    // MARK: Local part

    /// Parses the grammar rule `Dot-string = Atom *("." Atom)`.
    private mutating func dotString() throws(ValidationError) {
        while true {
            if next == "." {
                throw validationError(offset == 0 ? "it begins with a dot" : "two dots are adjacent before the @")
            }
            // An atom accepts non-ASCII white space. At the start of an address, it is rejected like ASCII white space.
            if offset == 0, let next, next.properties.isWhitespace { throw disallowed(next, "around the address") }
            let start = offset
            while let next, next.isAtomText { rest.removeFirst() }
            guard offset > start, next == "." else { return }
            rest.removeFirst()
            if next == "@" || next == nil { throw validationError("a dot is right before the @", at: offset - 1) }
        }
    }

    /// Parses the grammar rule `Quoted-string = DQUOTE *QcontentSMTP DQUOTE`.
    private mutating func quotedString() throws(ValidationError) {
        let start = offset
        rest.removeFirst()
        while let scalar = next, scalar != "\"" {
            if scalar == "\\" {
                rest.removeFirst()
                guard let next, (" "..."~").contains(next) else {
                    throw validationError("a backslash must precede a printable ASCII character")
                }
            } else if scalar.properties.generalCategory == .control {
                throw disallowed(scalar, "within quotes")
            }
            rest.removeFirst()
        }
        guard rest.popFirst() != nil else { throw validationError("the quoted part is not closed", at: start) }
    }

    // MARK: Domain

    /// Parses the grammar rule `Domain = sub-domain *("." sub-domain)`.
    private mutating func domain() throws(ValidationError) {
        let start = offset
        // A label ends before a dot.
        repeat { try label() } while rest.popFirst() != nil
        guard offset - start <= 253 else {
            throw validationError("the domain has \(offset - start) bytes, at most 253 are allowed", at: start + 253)
        }
    }

    /// Parses the grammar rule `sub-domain = Let-dig [Ldh-str] / U-label`.
    private mutating func label() throws(ValidationError) {
        let start = offset
        var last: Unicode.Scalar?
        while let scalar = next, scalar != "." {
            if scalar == "-", offset == start { throw validationError("a domain label begins with a hyphen") }
            guard scalar == "-" || isLabelText(scalar, isFirst: offset == start) else {
                throw disallowed(scalar, "in a domain")
            }
            last = scalar
            rest.removeFirst()
        }
        guard offset > start else { throw validationError("a domain label is empty") }
        if last == "-" { throw validationError("a domain label ends with a hyphen", at: offset - 1) }
        guard offset - start <= 63 else {
            throw validationError("a domain label has \(offset - start) bytes, at most 63 are allowed", at: start + 63)
        }
    }

    /// Returns whether a Unicode scalar is allowed in a domain label. The caller checks for hyphens.
    ///
    /// Letters and ASCII digits may occur anywhere in a label. Combining marks and non-ASCII digits, which many scripts
    /// need, may occur only after the first scalar.
    private func isLabelText(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .nonspacingMark, .spacingMark, .decimalNumber: scalar.isASCII || !isFirst
        default: false
        }
    }

    // MARK: Address literal

    /// Parses the grammar rule `address-literal = "[" ( IPv4-address-literal / IPv6-address-literal ) "]"`.
    private mutating func addressLiteral() throws(ValidationError) {
        rest.removeFirst()
        let (start, content) = (offset, rest)
        while let scalar = next, scalar != "]" {
            guard scalar.isASCII else { throw disallowed(scalar, "in an address literal") }
            rest.removeFirst()
        }
        let literal = Substring(content[..<rest.startIndex])
        try expect("]", "the address literal is not closed by ]")
        try expectEnd("nothing may follow the address literal")
        let tag = "ipv6:"
        if literal.lowercased().hasPrefix(tag) {
            guard Self.isIPv6(literal.dropFirst(tag.count)) else {
                throw validationError("the literal is not an IPv6 address", at: start + tag.count)
            }
        } else {
            guard Self.isIPv4(literal) else {
                throw validationError("the literal must be an IPv4 address, or IPv6: and an IPv6 address", at: start)
            }
        }
    }

    /// Returns the error of the next scalar, which is not allowed at its position.
    private func disallowed(_ scalar: Unicode.Scalar, _ context: String) -> ValidationError {
        validationError(
            scalar.properties.isWhitespace
                ? "white space is not allowed \(context)"
                : "the character \(String(scalar).quoted) is not allowed \(context)")
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is `atext` (RFC 5322, section 3.2.3) or `UTF8-non-ascii` (RFC 6532): neither a control
    /// character nor a space nor one of the `specials`.
    var isAtomText: Bool {
        !" \"(),.:;<>@[\\]".unicodeScalars.contains(self) && properties.generalCategory != .control
    }
}

// The IP addresses in mail address literals (RFC 5321, section 4.1.3), whose texts are ASCII.
extension TextReader {
    /// Returns whether a text is an `IPv4-address-literal`: four numbers from 0 to 255, in one to three digits each,
    /// separated by dots.
    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { $0.count <= 3 && $0.allSatisfy(\.isWholeNumber) && UInt8($0) != nil }
    }

    /// Returns whether a text is an IPv6 address in one of the forms `IPv6-full`, `IPv6-comp`, `IPv6v4-full` and
    /// `IPv6v4-comp`.
    ///
    /// The address has eight groups of 16 bits. An IPv4 address may represent the last two groups. `::` may occur once
    /// and stands for two or more groups of zeros.
    private static func isIPv6(_ text: Substring) -> Bool {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        let counts = halves.compactMap(groupCount)
        guard counts.count == halves.count else { return false }
        // An IPv4 address is valid only at the end of the whole text.
        return halves.count == 1
            ? counts == [8] : halves.count == 2 && !halves[0].contains(".") && counts[0] + counts[1] <= 6
    }

    /// Returns the number of 16-bit groups in a part of an address, or `nil` if a group is invalid. An IPv4 address at
    /// the end counts as two groups.
    private static func groupCount(_ text: Substring) -> Int? {
        guard !text.isEmpty else { return 0 }
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)
        let endsWithIPv4 = groups.last.map(isIPv4) == true
        if endsWithIPv4 { groups.removeLast() }
        guard groups.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(\.isHexDigit) }) else { return nil }
        return groups.count + (endsWithIPv4 ? 2 : 0)
    }
}
