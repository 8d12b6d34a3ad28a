import DataStoreTesting
import Testing
import UserProfileDomain

@Suite("A mail address")
struct MailAddressTests {
    @Test(
        "is split at the @ between local part and domain, and kept as typed",
        arguments: [
            ("vision@example.com", "vision", "example.com"),
            ("VISION+tag@Example.COM", "VISION+tag", "Example.COM"),
            ("first.middle.last@sub.example.co.jp", "first.middle.last", "sub.example.co.jp"),
            ("!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~", "example.com"),
            ("a@localhost", "a", "localhost"),
            ("1@3com.example", "1", "3com.example"),
            ("a@x-y--z.example", "a", "x-y--z.example"),
            ("a@xn--bcher-kva.example", "a", "xn--bcher-kva.example"),
            // Quoted strings: nearly any character, an empty one, an @, dots anywhere, escaped quotes.
            (#""a b"@example.com"#, #""a b""#, "example.com"),
            (#"""@example.com"#, #""""#, "example.com"),
            (#""a@b"@example.com"#, #""a@b""#, "example.com"),
            (#""..a..b."@example.com"#, #""..a..b.""#, "example.com"),
            (#""(c)<>[]:;,"@example.com"#, #""(c)<>[]:;,""#, "example.com"),
            (#""a\"b\\\ \~"@example.com"#, #""a\"b\\\ \~""#, "example.com"),
            (#""太郎 é"@example.com"#, #""太郎 é""#, "example.com"),
            // RFC 6531: UTF-8 in both parts, also with combining marks.
            ("用户@例え.jp", "用户", "例え.jp"),
            ("юзер@пример.рф", "юзер", "пример.рф"),
            ("üñî@bücher.example", "üñî", "bücher.example"),
            ("한국@예시.한국", "한국", "예시.한국"),
            ("उपयोग@उदाहरण.भारत", "उपयोग", "उदाहरण.भारत"),
            ("e\u{301}@cafe\u{301}.example", "e\u{301}", "cafe\u{301}.example"),
            ("🍣@example.com", "🍣", "example.com"),
            // U+0600 and the following @ are one `Character`; the grammar is defined on Unicode scalars.
            ("\u{600}@example.com", "\u{600}", "example.com"),
        ])
    func isSplit(text: String, localPart: String, domain: String) throws {
        let address = try MailAddress(text)
        #expect(address.text.utf8.elementsEqual(text.utf8))
        #expect(address.description.utf8.elementsEqual(text.utf8))
        #expect(address.localPart.utf8.elementsEqual(localPart.utf8))
        #expect(address.domain.utf8.elementsEqual(domain.utf8))
    }

    @Test(
        "has a domain that may be an IPv4 or IPv6 address in brackets",
        arguments: [
            "192.0.2.1", "0.0.0.0", "255.255.255.255", "010.001.000.009",
            "IPv6:2001:db8::1", "ipv6:2001:DB8::1", "IPV6:::1", "IPv6:::", "IPv6:1::",
            "IPv6:1:2:3:4:5:6:7:8", "IPv6:0001:0020:0300:4000:abcd:EF01:0:ffff",
            "IPv6:1:2:3:4:5:6::", "IPv6:::1:2:3:4:5:6", "IPv6:1:2:3::4:5:6",
            "IPv6:1:2:3:4:5:6:192.0.2.1", "IPv6:::ffff:192.0.2.1", "IPv6:::192.0.2.1", "IPv6:1:2::3:4:192.0.2.1",
        ])
    func mayHaveAddressLiteral(literal: String) throws {
        #expect(try MailAddress("a@[\(literal)]").domain == "[\(literal)]")
    }

    @Test(
        "has no other literal",
        arguments: [
            "", " ", "1", "192.0.2", "192.0.2.1.1", "192.0.2.", ".192.0.2.1", "192..2.1", "256.0.2.1", "192.0.2.1000",
            "192.0.2.0001", "192.0.2.a", "192.0.2.-1", "192.0.2.1 ", " 192.0.2.1", "192.0.2.1\t", "0x7f.0.0.1", "[",
            "2001:db8::1", "IPv4:192.0.2.1", "IPv62001:db8::1", "IPv6", "X-tag:content", "example.com",
        ])
    func hasNoOtherLiteral(literal: String) throws {
        try InvalidText("a@[\(literal)]", "must be an IPv4 address", at: 3).check(.mailAddress) {
            try MailAddress($0)
        }
    }

    @Test(
        "has no other IPv6 literal",
        arguments: [
            "", ":", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:", ":2:3:4:5:6:7:8", ":1::", "::1:",
            // `::` stands for two or more groups, and may occur once.
            "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3::5:6:7:8", "1::2::3", ":::", "1:::2", "::::",
            "12345::", "::g", "::1 ", " ::1", "::1%eth0", "::1/64", "::-1",
            // The last two groups may be written as an IPv4 address.
            "192.0.2.1", "192.0.2.1::", "::192.0.2.1:1", "1:2:3:4:5:192.0.2.1", "1:2:3:4:5:6:7:192.0.2.1",
            "1:2:3:4:5::192.0.2.1", "::256.0.2.1", "::192.0.2", "::192.0.2.1.1",
        ])
    func hasNoOtherIPv6Literal(literal: String) throws {
        try InvalidText("a@[IPv6:\(literal)]", "not an IPv6 address", at: 8).check(.mailAddress) { try MailAddress($0) }
    }

    @Test(
        "has no literal with a control character that differs by one bit from a character of the tag",
        arguments: [("IPv6", 0x1A, "::1"), ("IPv", 0x16, ":::1")] as [(String, UInt8, String)])
    func hasNoControlCharacterInTag(before: String, control: UInt8, after: String) {
        #expect(throws: ValidationError.self) {
            try MailAddress("a@[\(before)\(Unicode.Scalar(control))\(after)]")
        }
    }

    @Test(
        "that breaks a rule is rejected with the rule and the position",
        arguments: [
            InvalidText("", "empty", at: nil),
            InvalidText("vision", "@ and a domain are missing", at: 6),
            InvalidText("vision@", "domain after the @ is missing", at: 7),
            InvalidText("@", "before the @ is empty", at: 0),
            InvalidText("@example.com", "before the @ is empty", at: 0),
            InvalidText("vision@@example.com", "domain", at: 7),
            InvalidText("a@b@example.com", "\"@\" is not allowed in a domain", at: 3),
            // Dots.
            InvalidText(".a@example.com", "begins with a dot", at: 0),
            InvalidText("a.@example.com", "dot is right before the @", at: 1),
            InvalidText("a..b@example.com", "two dots", at: 2),
            InvalidText("é..b@example.com", "two dots", at: 3),
            InvalidText(".@example.com", "dot", at: 0),
            InvalidText("a@.example.com", "label is empty", at: 2),
            InvalidText("a@example.com.", "label is empty", at: 14),
            InvalidText("a@example..com", "label is empty", at: 10),
            // Hyphens and other characters in the domain.
            InvalidText("a@-x.com", "begins with a hyphen", at: 2),
            InvalidText("a@x.-com", "begins with a hyphen", at: 4),
            InvalidText("a@x-.com", "ends with a hyphen", at: 3),
            InvalidText("a@x.com-", "ends with a hyphen", at: 7),
            InvalidText("a@-", "begins with a hyphen", at: 2),
            InvalidText("a@x_y.com", "\"_\" is not allowed in a domain", at: 3),
            InvalidText("a@x,y", "\",\" is not allowed in a domain", at: 3),
            InvalidText("a@例。jp", "\"。\" is not allowed in a domain", at: 5),
            InvalidText("a@例.🍣", "\"🍣\" is not allowed in a domain", at: 6),
            InvalidText("a@\u{301}x.com", "not allowed in a domain", at: 2),
            InvalidText("a@x\u{200B}y.com", "not allowed in a domain", at: 3),
            InvalidText("a@\"x\"", "not allowed in a domain", at: 2),
            // Comments, angle brackets and the obsolete forms of RFC 5322.
            InvalidText("(c)a@example.com", "\"(\" is not allowed", at: 0),
            InvalidText("a(c)@example.com", "\"(\" is not allowed", at: 1),
            InvalidText("a@example.com(c)", "\"(\" is not allowed", at: 13),
            InvalidText("<a@example.com>", "\"<\" is not allowed", at: 0),
            InvalidText("a@example.com>", "\">\" is not allowed", at: 13),
            InvalidText("a,b@example.com", "\",\" is not allowed", at: 1),
            InvalidText(#""a".b@example.com"#, "\".\" is not allowed", at: 3),
            InvalidText(#"a."b"@example.com"#, "not allowed", at: 2),
            InvalidText(#"a"b"@example.com"#, "not allowed", at: 1),
            InvalidText(#"a\@b@example.com"#, "not allowed", at: 1),
            // Quoted strings.
            InvalidText(#""a@example.com"#, "not closed", at: 0),
            InvalidText(#"""#, "not closed", at: 0),
            InvalidText(#""a\"#, "backslash must precede", at: 3),
            InvalidText(#""a\é"@example.com"#, "backslash must precede", at: 3),
            InvalidText(#""a"b@example.com"#, "\"b\" is not allowed", at: 3),
            InvalidText(#""a""b"@example.com"#, "not allowed", at: 3),
            InvalidText(#""a""#, "@ and a domain are missing", at: 3),
            // Brackets.
            InvalidText("a@[192.0.2.1", "not closed by ]", at: 12),
            InvalidText("a@[", "not closed by ]", at: 3),
            InvalidText("a@[192.0.2.1]x", "follow the address literal", at: 13),
            InvalidText("a@[192.0.2.1]]", "follow the address literal", at: 13),
            InvalidText("a@192.0.2.1]", "\"]\" is not allowed in a domain", at: 11),
            InvalidText("a@x[192.0.2.1]", "\"[\" is not allowed in a domain", at: 3),
            InvalidText("a@[１９２.0.2.1]", "not allowed in an address literal", at: 3),
        ])
    func isRejected(_ text: InvalidText) throws {
        try text.check(.mailAddress) { try MailAddress($0) }
    }

    static let whiteSpace = [" ", "\t", "\n", "\r\n", "\u{85}", "\u{A0}", "\u{2003}", "\u{2028}", "\u{3000}"]

    @Test("with white space around it is rejected, not trimmed", arguments: whiteSpace)
    func isNotTrimmed(space: String) throws {
        for text in [
            InvalidText("\(space)vision@example.com", "white space", at: 0),
            InvalidText("\(space)\"v\"@example.com", "white space", at: 0),
            InvalidText("vision@example.com\(space)", "white space", at: 18),
            InvalidText("vision@\(space)example.com", "white space", at: 7),
            InvalidText("vision@[192.0.2.1]\(space)", "nothing may follow", at: 18),
            InvalidText(space, "white space", at: 0),
        ] {
            try text.check(.mailAddress) { try MailAddress($0) }
        }
    }

    @Test("contains no ASCII white space or folding except for a quoted space", arguments: [" ", "\t", "\n", "\r\n "])
    func hasNoWhiteSpaceWithin(space: String) throws {
        for text in [
            InvalidText("a\(space)b@example.com", "white space", at: 1),
            InvalidText("a\(space)@example.com", "white space", at: 1),
            InvalidText("a.\(space)b@example.com", "white space", at: 2),
            InvalidText("a@x\(space).com", "white space", at: 3),
        ] {
            try text.check(.mailAddress) { try MailAddress($0) }
        }
        guard space != " " else { return }
        try InvalidText("\"a\(space)b\"@example.com", "white space", at: 2).check(.mailAddress) { try MailAddress($0) }
    }

    @Test(
        "has no control characters, not of ASCII nor of Latin-1",
        arguments: [0x00, 0x01, 0x1B, 0x1F, 0x7F, 0x80, 0x9B, 0x9F] as [UInt8])
    func hasNoControlCharacters(code: UInt8) throws {
        let control = Unicode.Scalar(code)
        for text in [
            InvalidText("\(control)a@example.com", "not allowed", at: 0),
            InvalidText("a\(control)b@example.com", "not allowed", at: 1),
            InvalidText("\"a\(control)\"@example.com", "not allowed", at: 2),
            InvalidText("\"\\\(control)\"@example.com", "backslash", at: 2),
            InvalidText("a@x\(control)", "not allowed", at: 3),
        ] {
            try text.check(.mailAddress) { try MailAddress($0) }
        }
    }

    /// An address at a length limit, in octets of UTF-8, and the offset of the first octet beyond it, if there is one.
    struct Length: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let error: (fragment: String, offset: Int)?

        init(_ description: String, _ text: String, _ error: (fragment: String, offset: Int)? = nil) {
            self.testDescription = description
            self.text = text
            self.error = error
        }

        static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

        /// Returns a domain with a number of octets, in labels of nine.
        static func domain(_ count: Int) -> String {
            let full = (count - 1) / 10
            return repeated("abcdefghi.", full) + repeated("z", count - full * 10)
        }
    }

    @Test(
        "has at most 64 octets before the @, 63 in a label, 253 in a domain, and 254 in total",
        arguments: [
            Length("local part of 64", Length.repeated("a", 64) + "@x"),
            Length("local part of 65", Length.repeated("a", 65) + "@x", ("64", 64)),
            Length("local part of 64 in é", Length.repeated("é", 32) + "@x"),
            Length("local part of 65 in é", Length.repeated("é", 32) + "a@x", ("64", 64)),
            Length("local part of 65 in 22 characters", Length.repeated("語", 21) + "ab@x", ("64", 64)),
            Length("quoted local part of 64", "\"" + Length.repeated(" ", 62) + "\"@x"),
            Length("quoted local part of 65", "\"" + Length.repeated(" ", 63) + "\"@x", ("64", 64)),
            Length("label of 63", "a@x." + Length.repeated("b", 63) + ".com"),
            Length("label of 64", "a@x." + Length.repeated("b", 64) + ".com", ("63", 67)),
            Length("only label of 64", "a@" + Length.repeated("b", 64), ("63", 65)),
            Length("label of 63 in 語", "a@" + Length.repeated("語", 21)),
            Length("label of 64 in é", "a@" + Length.repeated("é", 32), ("63", 65)),
            Length("whole of 254, domain of 252", "a@" + Length.domain(252)),
            Length("whole of 255, domain of 253", "a@" + Length.domain(253), ("254", 254)),
            Length("domain of 254", "a@" + Length.domain(254), ("253", 255)),
            Length("whole of 254, local part of 64", Length.repeated("a", 64) + "@" + Length.domain(189)),
            Length("255, local part of 64", Length.repeated("a", 64) + "@" + Length.domain(190), ("254", 254)),
            Length("whole of 254 in é", Length.repeated("é", 32) + "@" + Length.repeated("ééé.", 26) + "éééa"),
            Length("255 in é", Length.repeated("é", 32) + "@" + Length.repeated("ééé.", 26) + "ééé.z", ("254", 254)),
        ])
    func hasLimits(_ length: Length) throws {
        guard let (fragment, offset) = length.error else {
            #expect(throws: Never.self) { try MailAddress(length.text) }
            return
        }
        try InvalidText(length.text, fragment, at: offset).check(.mailAddress) { try MailAddress($0) }
    }

    @Test(
        "equals another with the same local part and domain, ignoring quotes, the case of ASCII letters and Punycode",
        arguments: [
            ("vision@example.com", "vision@example.com", true),
            ("vision@EXAMPLE.com", "vision@example.COM", true),
            ("a@[IPv6:2001:DB8::1]", "a@[ipv6:2001:db8::1]", true),
            ("Vision@example.com", "vision@example.com", false),
            ("a@example.com", "a@example.org", false),
            ("a@example.com", "a@example.co", false),
            ("a@ba", "a@b", false),
            // Quotes and backslashes that are not needed.
            ("\"a\"@example.com", "a@example.com", true),
            ("\"a.b\"@example.com", "a.b@example.com", true),
            ("\"\\a\"@example.com", "a@example.com", true),
            ("\"a\\ b\"@example.com", "\"a b\"@example.com", true),
            ("\"é\"@example.com", "é@EXAMPLE.com", true),
            ("\"A\"@example.com", "a@example.com", false),
            ("\"a..b\"@example.com", "a.b@example.com", false),
            ("\".\"@example.com", "\"\"@example.com", false),
            ("\"a\\\"b\"@example.com", "\"a\\\\b\"@example.com", false),
            ("\"a@B\"@example.com", "\"a@b\"@example.com", false),
            // Labels in Punycode. The samples are those of RFC 3492, section 7.1.
            ("a@exämple.de", "a@xn--exmple-cua.de", true),
            ("a@xn--exmple-cua.de", "\"a\"@XN--EXMPLE-CUA.DE", true),
            ("a@mail.exämple.example", "a@mail.xn--exmple-cua.example", true),
            ("a@x.他们为什么不说中文", "a@x.xn--ihqwcrb4cv8a8dqg056pqjye", true),
            ("a@pročprostěnemluvíčesky", "a@xn--Proprostnemluvesky-uyb24dma41a", true),
            ("a@למההםפשוטלאמדבריםעברית", "a@xn--4dbcagdahymbxekheh6e0a7fei0b", true),
            ("a@3年B組金八先生", "a@xn--3B-ww4c5e180e575a65lsy2b", true),
            ("a@Hello-Another-Way-それぞれの場所", "a@xn--Hello-Another-Way--fc4qua05auwb3674vfr0b", true),
            ("a@ひとつ屋根の下2", "a@xn--2-u9tlzr9756bt3uc0v", true),
            ("a@exämple.de", "a@xn--exmple-cub.de", false),
            ("a@exmple.de", "a@xn--exmple-cua.de", false),
            // The local part has no labels.
            ("xn--exmple-cua@x.de", "exämple@x.de", false),
            // Not Punycode: the label is compared as it is.
            ("a@xn--0.de", "a@XN--0.de", true),
            ("a@xn--0.de", "a@xn--1.de", false),
            ("a@xn--a.de", "a@XN--A.de", true),
            ("a@xn--\(String(repeating: "9", count: 59))", "a@XN--\(String(repeating: "9", count: 59))", true),
            ("a@xn---exmple-cua.de", "a@xn--exmple-cua.de", false),
            ("a@xn--é", "a@XN--é", true),
            // Characters beyond ASCII are neither case-folded nor normalized.
            ("a@É.com", "a@é.com", false),
            ("é@example.com", "e\u{301}@example.com", false),
            ("a@caf\u{E9}.com", "a@cafe\u{301}.com", false),
        ])
    func equality(left: String, right: String, areSame: Bool) throws {
        let (left, right) = (try MailAddress(left), try MailAddress(right))
        #expect((left == right) == areSame)
        #expect((right == left) == areSame)
        #expect(Set([left, right]).count == (areSame ? 1 : 2))
    }

    @Test("is parsed from any text without a crash, and is the text or an error with a position in it")
    func randomTexts() throws {
        // Pieces with a meaning in the grammar, so that some of the texts are valid addresses.
        let pieces = [
            "a", "Z", "0", "é", "e\u{301}", "語", "🍣", ".", ".", "-", "@", "@", "@", "\"", "\\", " ", "\u{3000}",
            "\u{0}",
            "\u{85}", "[", "]", "[IPv6:", "::", ":", "192.0.2.1", "(", "\r\n", "\u{200D}", "\u{600}",
            "vision@example.com",
        ]
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<20_000 {
            let text = try (0..<Int.random(in: 0...9, using: &random))
                .map { _ in try #require(pieces.randomElement(using: &random)) }.joined()
            do {
                let address = try MailAddress(text)
                accepted += 1
                let isKept =
                    address.text.utf8.elementsEqual(text.utf8)
                    && "\(address.localPart)@\(address.domain)".utf8.elementsEqual(text.utf8)
                let isWhole = !address.localPart.isEmpty && !address.domain.utf8.contains(UInt8(ascii: "@"))
                if !isKept || !isWhole { Issue.record("\(text.debugDescription) is not kept; seed \(seed)") }
            } catch {
                if let offset = error.offset, !(0...text.utf8.count).contains(offset) {
                    Issue.record("\(text.debugDescription): \(error) points outside; seed \(seed)")
                }
            }
        }
        #expect(accepted > 100, "too few to mean something; seed \(seed)")
    }
}
