import Testing
import UserProfileDomain

@Suite("A city code")
struct CityCodeTests {
    @Test("is six ASCII digits, kept with a leading zero", arguments: ["130010", "016010", "000000", "999999"])
    func isKept(text: String) throws {
        let code = try CityCode(text)
        #expect(code.text == text)
        #expect(code.description == text)
    }

    @Test(
        "is rejected with the rule and the position",
        arguments: [
            InvalidText("", "six digits, not 0", at: nil),
            InvalidText("16010", "six digits, not 5", at: nil),
            InvalidText("0160100", "six digits, not 7", at: nil),
            InvalidText("13001a", "digits only", at: 5),
            InvalidText(" 13001", "digits only", at: 0),
            InvalidText("130010\n", "digits only", at: 6),
            InvalidText("+13001", "digits only", at: 0),
            InvalidText("-13001", "digits only", at: 0),
            InvalidText("１３００１０", "digits only", at: 0),
            InvalidText("13٠010", "digits only", at: 2),
            // A combining mark forms one `Character` with the digit before it.
            InvalidText("130010\u{301}", "digits only", at: 6),
        ])
    func isRejected(_ text: InvalidText) throws {
        try text.check(.cityCode) { try CityCode($0) }
    }

    @Test("comes before another by its digits")
    func order() throws {
        let codes = try ["016010", "016020", "130010", "471010"].map { try CityCode($0) }
        #expect(codes.reversed().sorted() == codes)
    }
}
