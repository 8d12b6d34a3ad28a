import DataStoreTesting
import ForecastAPI
import Testing
import UserProfileDomain
import WebTesting

/// Tests of documents with random damage.
@Suite struct LivedoorDecoderRandomTests {
    @Test("A random document is weather or an error", arguments: WeatherFixture.allCases)
    func randomDocuments(_ fixture: WeatherFixture) throws {
        // To reproduce a failure, use `SeededGenerator(seed: …)` with its seed.
        var generator = SeededGenerator()
        let seed = generator.seed
        print("\(fixture): seed \(seed)")
        let city = try CityCode("471010")
        let whole = try fixture.bytes()
        for round in 0..<1000 {
            let document = damaged(whole, using: &generator)
            let comment: Comment = "seed \(seed), round \(round)"
            do {
                let weather = try DecodedWeather(livedoor: document, for: city).weather
                #expect(weather.id == city, comment)
                #expect(!weather.forecasts.isEmpty, comment)
                let dates = weather.forecasts.map(\.date)
                #expect(dates == dates.sorted(), comment)
            } catch {
                #expect(error.subject == .weatherDocument, comment)
                #expect(!error.rule.isEmpty, comment)
                #expect(error.given.count <= 80, comment)
            }
        }
    }

    /// Returns a document that is truncated, or in which a few bytes are changed, removed or duplicated.
    private func damaged(_ whole: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var document = whole
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard let offset = document.indices.randomElement(using: &generator) else { break }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: document.removeSubrange(offset...)
            case 1:
                document.removeSubrange(offset..<min(offset + .random(in: 1...40, using: &generator), document.count))
            case 2: document.insert(.random(in: 0...255, using: &generator), at: offset)
            case 3: document.insert(contentsOf: document[offset..<min(offset + 20, document.count)], at: offset)
            // Characters with a meaning in JSON find more errors than arbitrary bytes.
            case 4, 5: document[offset] = Array("{}[]\",:0-9.eE\\nt ".utf8).randomElement(using: &generator) ?? 0
            default: document[offset] = .random(in: 0...255, using: &generator)
            }
        }
        return document
    }
}
