import DataStoreCore
import DataStoreTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the mapping of weather to records and back.
@Suite struct WeatherMappingTests {
    private let mapping = WeatherMapping()
    private let city: CityCode

    init() throws { city = try CityCode("016010") }

    // The stored form must not change, because existing programs read it.
    @Test("Weather is mapped to fields")
    func allFields() throws {
        let weather = Weather(
            id: city, title: "晴れ", publishedAt: Instant(seconds: -1, nanoseconds: 999_999_999), description: "",
            forecasts: [
                Forecast(
                    date: try CalendarDate("2020-05-05"), dateLabel: "今日", telop: "晴",
                    lowest: try Temperature(celsius: -0.5), highest: try Temperature(celsius: 6), imageURL: "x")
            ])
        let record: Record = [
            "title": .string("晴れ"),
            "publishedAt": .date(try #require(Timestamp(seconds: -1, nanoseconds: 999_999_999))),
            "description": .string(""),
            "forecasts": .array([
                .record([
                    "date": .string("2020-05-05"), "dateLabel": .string("今日"), "telop": .string("晴"),
                    "lowest": .real(-0.5), "highest": .real(6), "imageURL": .string("x"),
                ])
            ]),
        ]
        #expect(mapping.record(of: weather) == record)
        let read = try mapping.entity(of: RecordView(record), id: city)
        #expect(read == weather)
    }

    @Test("Each field of a day is mapped independently", arguments: ["lowest", "highest", "imageURL"])
    func partsOfDay(_ part: String) throws {
        let weather = Weather(
            id: city, title: "晴れ", publishedAt: Instant(seconds: 0), description: nil,
            forecasts: [
                Forecast(
                    date: try CalendarDate("2020-05-05"), dateLabel: "今日", telop: "晴",
                    lowest: part == "lowest" ? try Temperature(celsius: 1) : nil,
                    highest: part == "highest" ? try Temperature(celsius: 2) : nil,
                    imageURL: part == "imageURL" ? "x" : nil)
            ])
        let record = mapping.record(of: weather)
        let day = try #require(record["forecasts"]?.array?.first?.record)
        #expect(Set(day.map(\.name)) == ["date", "dateLabel", "telop", part])
        let read = try mapping.entity(of: RecordView(record), id: city)
        #expect(read == weather)
    }

    @Test("Weather without days and description is mapped")
    func emptyWeather() throws {
        let weather = Weather(
            id: city, title: "晴れ", publishedAt: Instant(seconds: 0), description: nil, forecasts: [])
        let record = mapping.record(of: weather)
        #expect(Set(record.map(\.name)) == ["title", "publishedAt", "forecasts"])
        let read = try mapping.entity(of: RecordView(record), id: city)
        #expect(read == weather)
    }

    // A person who edits a property list may write 6 for 6.0.
    @Test("Whole degrees are read from an integer")
    func wholeDegrees() throws {
        let record: Record = [
            "title": .string("晴"), "publishedAt": .date(Timestamp(seconds: 0)),
            "forecasts": .array([
                .record([
                    "date": .string("2020-05-05"), "dateLabel": .string("今日"), "telop": .string("晴"),
                    "lowest": .integer(-2), "highest": .integer(6),
                ])
            ]),
        ]
        let day = try #require(try mapping.entity(of: RecordView(record), id: city).forecasts.first)
        #expect(day.lowest?.celsius == -2)
        #expect(day.highest?.celsius == 6)
    }

    @Test("The mapping names its collection and fields")
    func names() {
        #expect(mapping.collection == "weather")
        #expect(
            Set(mapping.fieldNames) == ["title", "publishedAt", "description", "forecasts", "fetchedAt", "version"])
    }

    @Test("Random weather is read back equal")
    func roundTrip() async throws {
        // To reproduce a failure, use `SeededGenerator(seed: …)` with its seed.
        var generator = SeededGenerator()
        let seed = generator.seed
        print("weather: seed \(seed)")
        let store = MemoryDataStore()
        let forecasts = try DataStoreRepository<WeatherMapping>(store)
        for round in 0..<300 {
            let comment: Comment = "seed \(seed), round \(round)"
            let weather = try weather(using: &generator)
            try await forecasts.save(weather)
            let read = try await forecasts.find(city)
            #expect(read == weather, comment)
            // Strings are equal in all normalization forms, records are not, so the records are compared.
            #expect(read.map { mapping.record(of: $0) } == mapping.record(of: weather), comment)
        }
    }

    private func weather(using generator: inout SeededGenerator) throws -> Weather {
        let days = try (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            Forecast(
                date: try CalendarDate(
                    year: .random(in: 1...9999, using: &generator), month: .random(in: 1...12, using: &generator),
                    day: .random(in: 1...28, using: &generator)),
                dateLabel: text(using: &generator), telop: text(using: &generator),
                lowest: try temperature(using: &generator), highest: try temperature(using: &generator),
                imageURL: Bool.random(using: &generator) ? text(using: &generator) : nil)
        }
        return Weather(
            id: city, title: text(using: &generator),
            publishedAt: Instant(
                // Any representable second, and as often one near 1970.
                seconds: Int64.random(in: .min ... .max, using: &generator)
                    >> Int.random(in: 0..<64, using: &generator),
                nanoseconds: .random(in: 0..<1_000_000_000, using: &generator)),
            description: Bool.random(using: &generator) ? text(using: &generator) : nil,
            forecasts: days,
            receipt: Bool.random(using: &generator) ? receipt(using: &generator) : nil)
    }

    private func receipt(using generator: inout SeededGenerator) -> FetchReceipt {
        FetchReceipt(
            fetchedAt: Instant(
                seconds: .random(in: 0...1 << 40, using: &generator),
                nanoseconds: .random(in: 0..<1_000_000_000, using: &generator)),
            version: FetchedVersion(
                address: text(using: &generator),
                entityTag: Bool.random(using: &generator) ? text(using: &generator) : nil,
                lastModified: Bool.random(using: &generator) ? text(using: &generator) : nil))
    }

    private func temperature(using generator: inout SeededGenerator) throws -> Temperature? {
        guard Bool.random(using: &generator) else { return nil }
        return try Temperature(celsius: Double.random(in: -273.15...1000, using: &generator))
    }

    private func text(using generator: inout SeededGenerator) -> String {
        let pieces = ["", "晴", " ", "\n", "\r", "\0", "é", "e\u{301}", "が", "か\u{3099}", "😀", "\u{FFFE}", "\"", "&"]
        return (0..<Int.random(in: 0...12, using: &generator))
            .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }
}
