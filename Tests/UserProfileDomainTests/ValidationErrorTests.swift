import Testing
import UserProfileDomain

@Suite("A validation error")
struct ValidationErrorTests {
    @Test(
        "is one sentence with the given text, the rule and the position",
        arguments: [
            (nil, nil, #""x y" is not a mail address: it is wrong"#),
            (1, nil, #""x y" is not a mail address: it is wrong (at byte 1)"#),
            (nil, "a[0].b", #""x y" is not a mail address: a[0].b: it is wrong"#),
        ] as [(Int?, String?, String)])
    func isSentence(offset: Int?, path: String?, sentence: String) {
        let error = ValidationError(.mailAddress, given: "x y", rule: "it is wrong", offset: offset, path: path)
        #expect("\(error)" == sentence)
    }

    @Test("preserves an apostrophe as it was typed")
    func apostrophe() {
        #expect("\(ValidationError(.userID, given: "o'b", rule: "no"))" == #""o'b" is not a user id: no"#)
    }

    @Test(
        "writes no control character, so that input cannot control the terminal",
        arguments: [0x00, 0x07, 0x0A, 0x1B, 0x7F, 0x85, 0x9B] as [UInt8])
    func steersNoTerminal(control: UInt8) throws {
        // The text contains the control character, and the rule repeats it. In a terminal U+009B has the same effect as
        // ESC [.
        let text = "a\(Unicode.Scalar(control))31m@example.com"
        let error = try #require(throws: ValidationError.self) { try MailAddress(text) }
        #expect(!"\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(
        "cuts a long text",
        // All the combining marks form a single `Character`.
        arguments: [("a", 1_000_000), ("語", 81), ("\u{301}", 10_000)])
    func cuts(part: String, count: Int) {
        let error = ValidationError(.userID, given: String(repeating: part, count: count), rule: "it is too long")
        let scalars = Array(error.given.unicodeScalars)
        #expect(scalars.count <= 80)
        #expect(scalars.last == "…")
    }

    @Test("does not cut a text of 80 characters")
    func doesNotCut() {
        let given = String(repeating: "a", count: 80)
        #expect(ValidationError(.userID, given: given, rule: "no").given == given)
    }
}
