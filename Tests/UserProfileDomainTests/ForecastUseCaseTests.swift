import Testing
import UserProfileDomain

@Suite("The use case of forecasts")
struct ForecastUseCaseTests {
    /// Decodes a document that consists of a title; an empty one is rejected.
    private static let decode: ForecastUseCase.Decode = { document, city throws(ValidationError) in
        let title = String(decoding: document, as: UTF8.self)
        guard !title.isEmpty else {
            throw ValidationError(.weatherDocument, given: title, rule: "it is missing", path: "title")
        }
        return DecodedWeather(
            weather: Weather(
                id: city, title: title, publishedAt: Instant(seconds: 0), description: nil, forecasts: []))
    }

    private let weather = RepositoryDouble<Weather>()
    private let sapporo: CityCode
    private let tokyo: CityCode

    private var useCase: ForecastUseCase {
        ForecastUseCase(weather: weather, source: nil, now: { Instant(seconds: 0) }, decoding: Self.decode)
    }

    init() throws {
        sapporo = try CityCode("016010")
        tokyo = try CityCode("130010")
    }

    private func makeWeather(_ city: CityCode, _ title: String) throws -> Weather {
        let forecast = Forecast(date: try CalendarDate("2016-11-28"), dateLabel: "今日", telop: "晴れ")
        return Weather(
            id: city, title: title, publishedAt: Instant(seconds: 1), description: nil, forecasts: [forecast])
    }

    @Test("replaces the weather of a city and of no other")
    func replaces() async throws {
        let (other, first) = (try makeWeather(sapporo, "札幌"), try makeWeather(tokyo, "東京"))
        try await weather.save(other)
        try await weather.save(first)
        #expect(try await weather.find(tokyo) == first)

        // The new weather replaces the old one completely: it has no days.
        let second = try await useCase.save(document: Array("東京都".utf8), for: tokyo)
        #expect(second.title == "東京都")
        #expect(second.forecasts.isEmpty)
        #expect(try await weather.find(tokyo) == second)
        #expect(try await weather.find(sapporo) == other)
    }

    @Test("rejects an invalid document, and changes nothing")
    func rejectsDocument() async throws {
        let saved = try makeWeather(tokyo, "東京")
        try await weather.save(saved)
        for city in [tokyo, sapporo] {
            let error = try await #require(throws: ValidationError.self) {
                try await useCase.save(document: [], for: city)
            }
            #expect(error.subject == .weatherDocument)
            #expect(error.path == "title")
        }
        #expect(try await weather.list() == [saved])
    }

    @Test("rethrows a failure, and works again afterwards")
    func failure() async throws {
        let (saved, tokyo) = (try makeWeather(tokyo, "東京"), tokyo)
        try await weather.save(saved)
        await weather.fail(with: RepositoryError(.corrupted, message: "the record is cut off"))
        let error = try await #require(throws: RepositoryError.self) {
            try await useCase.save(document: [0x61], for: tokyo)
        }
        #expect(error.code == .corrupted)
        await weather.fail(with: nil)
        #expect(try await weather.find(tokyo) == saved)
    }
}
