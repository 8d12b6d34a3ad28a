import DataStoreCore
import Testing

@testable import DataStoreQueries

/// Tests of the search of texts.
@Suite struct TextTestTests {
    private func holds(_ pattern: String, _ text: String) -> Bool {
        text.withBytes { TextTest(TextMatch(.like, pattern)).holds(for: $0) }
    }

    @Test("Patterns match the same texts as a search that tries everything")
    func random() {
        func text(of characters: [Character], _ count: Int) -> String {
            String((0..<Int.random(in: 0...count)).compactMap { _ in characters.randomElement() })
        }
        var matchCount = 0
        for _ in 0..<5000 {
            let pattern = text(of: ["a", "b", "é", "?", "*", "*", "文"], 8)
            let searched = text(of: ["a", "b", "é", "文"], 12)
            let expected = matches(Array(pattern.unicodeScalars)[...], Array(searched.unicodeScalars)[...])
            #expect(holds(pattern, searched) == expected, "\(searched) like \(pattern)")
            if expected { matchCount += 1 }
        }
        #expect(matchCount > 500)
    }

    private func matches(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "*": return matches(rest, text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
        case "?": return !text.isEmpty && matches(rest, text.dropFirst())
        default: return text.first == first && matches(rest, text.dropFirst())
        }
    }

    @Test("A part of more than 64 bytes is found after a wildcard")
    func longParts() {
        let part = String(repeating: "aé", count: 50)
        for prefix in ["", "a", "é", "aaéé"] {
            #expect(holds("*?\(part)?b*", "\(prefix)文\(part)文b"))
            #expect(!holds("*?\(part)?b*", "\(prefix)文\(part)文文b"))
        }
        #expect(!holds("*?\(part)?b*", "\(part)文b".dropFirst().description))
    }

    /// A search that begins again after each mismatch would compare ten thousand million bytes.
    @Test(
        "The time of a search grows with the text, and not with the product of text and pattern",
        .timeLimit(.minutes(1)))
    func linearTime() {
        let text = String(repeating: "a", count: 300_000)
        let part = String(repeating: "a", count: 30_000)
        #expect(!holds("*\(part)b*", text))
        #expect(!holds("*\(part)b*\(part)c*", text + "b" + text))
        #expect(!holds("*a?a?\(part.prefix(500))b*", text))
        #expect(!holds("*\(part)b*", text + "c"))
    }
}
