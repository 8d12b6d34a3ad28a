import Testing
import UserProfileDomain

@Suite("A user id")
struct UserIDTests {
    @Test(
        "is 1 to 200 bytes of UTF-8, kept as typed",
        arguments: [
            "a", "me", "山田 太郎", "e\u{301}", " a ", "../a", "🍣", String(repeating: "a", count: 200),
            String(repeating: "語", count: 66) + "é",
        ])
    func isKept(text: String) throws {
        let id = try UserID(text)
        #expect(id.text.utf8.elementsEqual(text.utf8))
        #expect(id.description.utf8.elementsEqual(text.utf8))
    }

    @Test(
        "is rejected with the rule and the position",
        arguments: [
            InvalidText("", "empty", at: nil),
            InvalidText(String(repeating: "a", count: 201), "201 bytes, at most 200", at: nil),
            InvalidText(String(repeating: "語", count: 67), "201 bytes, at most 200", at: nil),
            InvalidText("\u{0}", "control", at: 0),
            InvalidText("é\n", "control", at: 2),
            InvalidText("a\r\n", "control", at: 1),
            InvalidText("a\u{7F}b", "control", at: 1),
            InvalidText("語\u{9B}", "control", at: 3),
        ])
    func isRejected(_ text: InvalidText) throws {
        try text.check(.userID) { try UserID($0) }
    }

    @Test("is me by default")
    func me() throws {
        #expect(try UserID("me") == .me)
    }

    @Test("differs from ids with other bytes", arguments: [("a", "A"), ("\u{E9}", "e\u{301}"), ("a", "a ")])
    func equality(left: String, right: String) throws {
        let (left, right) = (try UserID(left), try UserID(right))
        #expect(left != right)
        #expect(Set([left, right, left]).count == 2)
    }

    @Test("comes before another by unsigned bytes")
    func order() throws {
        // In the order of UTF-16, the sushi emoji would precede the full-width letter; in the order of a language, é
        // would precede z.
        let ids = try ["Z", "a", "aa", "b", "e\u{301}", "z", "\u{E9}", "日", "ａ", "🍣"].map { try UserID($0) }
        #expect(ids.reversed().sorted() == ids)
    }
}
