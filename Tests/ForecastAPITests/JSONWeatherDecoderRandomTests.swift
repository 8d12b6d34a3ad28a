import DataStoreTesting
import ForecastAPI
import Testing
import UserProfileDomain
import WebTesting

/// Documents damaged at random.
@Suite struct JSONWeatherDecoderRandomTests {
    @Test("A random document is weather or an error", arguments: WeatherFixture.allCases)
    func randomDocuments(_ fixture: WeatherFixture) throws {
        // `SeededGenerator(seed: …)` with the seed of a failure repeats it.
        var generator = SeededGenerator()
        let seed = generator.seed
        print("\(fixture): seed \(seed)")
        let city = try CityCode("471010")
        let whole = try fixture.bytes()
        for round in 0..<1000 {
            let document = damaged(whole, using: &generator)
            let comment: Comment = "seed \(seed), round \(round)"
            do {
                let weather = try JSONWeatherDecoder().decode(document, for: city)
                #expect(weather.id == city, comment)
                let dates = weather.forecasts.map(\.date)
                #expect(dates == dates.sorted(), comment)
            } catch {
                #expect(error.subject == .weatherDocument, comment)
                #expect(!error.rule.isEmpty, comment)
                #expect(error.given.count <= 80, comment)
            }
        }
    }

    /// A document that is cut, or in which a few bytes are others, gone or doubled.
    private func damaged(_ whole: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var document = whole
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard let place = document.indices.randomElement(using: &generator) else { break }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: document.removeSubrange(place...)
            case 1: document.removeSubrange(place..<min(place + .random(in: 1...40, using: &generator), document.count))
            case 2: document.insert(.random(in: 0...255, using: &generator), at: place)
            case 3: document.insert(contentsOf: document[place..<min(place + 20, document.count)], at: place)
            // What means something in JSON hits more than any byte would.
            case 4, 5: document[place] = Array("{}[]\",:0-9.eE\\nt ".utf8).randomElement(using: &generator) ?? 0
            default: document[place] = .random(in: 0...255, using: &generator)
            }
        }
        return document
    }
}
