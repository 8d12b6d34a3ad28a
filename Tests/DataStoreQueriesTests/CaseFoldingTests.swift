import DataStoreQueries
import Testing

@Suite struct CaseFoldingTests {
    @Test(
        "Texts are folded as Unicode specifies",
        arguments: [
            ("Straße", "strasse"), ("STRASSE", "strasse"), ("STRA\u{1E9E}E", "strasse"), ("ÜÉ", "üé"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("ς", "σ"), ("\u{130}", "i\u{307}"), ("\u{131}", "\u{131}"), ("\u{FB03}", "ffi"),
            ("\u{390}", "\u{3B9}\u{308}\u{301}"), ("\u{1F80}", "\u{1F00}\u{3B9}"), ("\u{AB70}", "\u{13A0}"),
            ("\u{13A0}", "\u{13A0}"), ("\u{212A}", "k"), ("\u{17F}", "s"), ("\u{1C90}", "\u{10D0}"), ("日本", "日本"),
            ("a\u{301}\u{0}1", "a\u{301}\u{0}1"),
        ])
    func folding(_ text: String, _ folded: String) {
        #expect(Array(text.caseFolded.unicodeScalars) == Array(folded.unicodeScalars))
        #expect(Array(folded.caseFolded.unicodeScalars) == Array(folded.unicodeScalars))
    }
}
