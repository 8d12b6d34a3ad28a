import DataStoreTesting
import Foundation
import ProfileFormats
import Testing
import UserProfileDomain

/// Compares the JSON Lines reader with Foundation's decoder on damaged lines.
@Suite struct JSONComparisonTests {
    private struct Line: Decodable {
        let id: String?
        let mailAddress: String?
        let birthday: String?
    }

    @Test("A line is accepted only if Foundation accepts it as JSON")
    func comparison() throws {
        // To reproduce a failure, use `SeededGenerator(seed: …)` with its seed.
        var generator = SeededGenerator()
        print("seed \(generator.seed)")
        let lines = [
            #"{"id":"a\u00e9\n\"b","mailAddress":"a@example.com","birthday":"2011-08-01"}"#,
            #" {"mailAddress" : null,"id":"天気 \ud83d\ude00", "x":[1,-2.5e+3,{"y":"z"}],"t":true} "#,
        ].map { Array($0.utf8) }
        var taken = 0
        for round in 0..<20_000 {
            var line = lines[round % 2]
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let offset = Int.random(in: line.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: line.remove(at: offset)
                case 1: line[offset] = Array("{}[]\",:0-9.eE\\nut ".utf8).randomElement(using: &generator) ?? 0
                default: line.insert(.random(in: 0x20...0xFF, using: &generator), at: offset)
                }
            }
            var reader = ProfileReader(.jsonLines, ignoresUnknown: true, now: Instant(seconds: 1_700_000_000))
            reader.append(line)
            reader.end()
            guard case .success(let user)? = reader.next() else { continue }
            taken += 1
            let comment: Comment = "seed \(generator.seed), round \(round): \(String(decoding: line, as: UTF8.self))"
            let decoded = try #require(try? JSONDecoder().decode(Line.self, from: Data(line)), comment)
            #expect(decoded.id == user.id.text, comment)
            #expect(decoded.mailAddress ?? "" == user.mailAddress?.text ?? "", comment)
            #expect(decoded.birthday ?? "" == user.birthday?.description ?? "", comment)
        }
        #expect(taken > 2000)
    }
}
