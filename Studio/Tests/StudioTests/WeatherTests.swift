import Synchronization
import RawHTTP
import Testing
import UserProfileKit

@testable import Studio

/// The page of the weather in each state of its monitor.
@Suite struct WeatherTests {
    private static let frame = Frame(store: "memory:", isWritable: false)
    private static let tokyo = "130010"

    /// A source whose answer the test chooses.
    private final class Source: ForecastSource {
        enum Answer: Sendable {
            case weather([Forecast], warnings: [ValidationError] = [])
            case failure(RepositoryError)
            case never
        }

        let answer: Mutex<Answer>
        let fetchCount = Mutex(0)

        init(_ answer: Answer) { self.answer = Mutex(answer) }

        func fetch(
            _ city: CityCode, unlessStill version: FetchedVersion?,
            progress: @escaping @Sendable (FetchProgress) -> Void
        ) async throws -> FetchedWeather {
            fetchCount.withLock { $0 += 1 }
            progress(FetchProgress(receivedByteCount: 2048, expectedByteCount: 4096))
            switch answer.withLock({ $0 }) {
            case .weather(let forecasts, let warnings):
                return .new(
                    Weather(
                        id: city, title: "<b>天気", publishedAt: .now, description: "晴れ\n\nのち曇り",
                        forecasts: forecasts), nil, warnings: warnings)
            case .failure(let error): throw error
            case .never:
                try await Task.sleep(for: .seconds(3600))
                throw CancellationError()
            }
        }
    }

    private static func forecasts() throws -> [Forecast] {
        try [
            Forecast(
                date: CalendarDate("2026-05-28"), dateLabel: "今日", telop: "晴れ", lowest: Temperature(celsius: -4),
                highest: Temperature(celsius: 6)),
            Forecast(date: CalendarDate("2026-05-29"), dateLabel: "明日", telop: "雨"),
            Forecast(
                date: CalendarDate("2026-05-30"), dateLabel: "明後日", telop: "曇り", lowest: nil,
                highest: Temperature(celsius: 1)),
        ]
    }

    /// Runs a studio with a source, and requests the page until it contains a text.
    private func withStudio(
        _ source: Source, isWritable: Bool = false,
        _ body:
            @escaping @Sendable (RunningStudio, _ page: @Sendable (String) async throws -> String, String) async throws
            -> Void
    ) async throws {
        try await RunningStudio.run(isWritable: isWritable, source: source) { studio in
            let cookie = try await studio.signIn()
            try await body(
                studio,
                { text in
                    while true {
                        let page = try await studio.get("/weather?city=\(Self.tokyo)", cookie: cookie)
                        if page.contains(text) { return page }
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }, cookie)
        }
    }

    @Test(
        "The page shows fetched weather with its days, chart and age; it is saved only with --write",
        arguments: [true, false])
    func loaded(isWritable: Bool) async throws {
        try await withStudio(Source(.weather(try Self.forecasts())), isWritable: isWritable) { studio, page, _ in
            let html = try await page("fetched less than a minute ago")
            for text in ["Weather of 東京都 東京", "&lt;b&gt;天気", "<p>晴れ</p>", ">明日</td>", ">雨</td>", "<svg"] {
                #expect(html.contains(text), "\(text)")
            }
            #expect(!html.contains("<b>"))
            let saved = try await studio.storage.weather.find(CityCode(Self.tokyo))
            #expect((saved != nil) == isWritable)
        }
    }

    @Test("A failure is an alert with its reason, and saved weather is shown as old", arguments: [true, false])
    func failed(isSaved: Bool) async throws {
        let source = Source(.failure(RepositoryError(.unavailable, message: "the service is closed")))
        try await RunningStudio.run(isWritable: false, source: source) { studio in
            if isSaved {
                try await studio.storage.weather.save(
                    Weather(
                        id: CityCode(Self.tokyo), title: "昨日", publishedAt: Instant(seconds: 1_000_000),
                        description: nil, forecasts: try Self.forecasts()))
            }
            let cookie = try await studio.signIn()
            var html = ""
            while !html.contains("the service is closed") {
                html = try await studio.get("/weather?city=\(Self.tokyo)", cookie: cookie)
            }
            #expect(html.contains(#"role="alert""#))
            #expect(html.contains("This weather is old:") == isSaved && html.contains("昨日") == isSaved)
            #expect(html.contains("No weather:") == !isSaved)
        }
    }

    @Test("The page shows an alert for a city without forecasts")
    func noForecasts() async throws {
        try await withStudio(Source(.weather([]))) { _, page, _ in
            let html = try await page("published no forecasts")
            #expect(html.contains(#"role="alert""#))
        }
    }

    @Test("The page names a day that cannot be read")
    func incomplete() async throws {
        let reason = ValidationError(
            .init("a weather document"), given: "<i>", rule: "it is no date", path: "forecasts[3].date")
        try await withStudio(Source(.weather(try Self.forecasts(), warnings: [reason]))) { _, page, _ in
            let html = try await page("A day is missing")
            #expect(html.contains("forecasts[3].date: it is no date") && !html.contains("<i>"))
        }
    }

    @Test("A load shows its progress, and can be cancelled and repeated")
    func cancellation() async throws {
        let source = Source(.never)
        try await withStudio(source) { studio, page, cookie in
            let loading = try await page("2.0 KiB received")
            #expect(loading.contains(#"<progress aria-label="Received" value="50" max="100">"#))
            let cancelled = try await studio.post("/weather/cancel?city=\(Self.tokyo)", cookie: cookie)
            #expect(cancelled.status == 303 && cancelled.field("Location") == "/weather?city=\(Self.tokyo)")
            _ = try await page("Nothing was loaded.")
            #expect(source.fetchCount.withLock { $0 } == 1)
            source.answer.withLock { $0 = .weather([]) }
            while source.fetchCount.withLock({ $0 }) < 2 {
                _ = try await studio.post("/weather/refresh?city=\(Self.tokyo)", cookie: cookie)
                try await Task.sleep(for: .milliseconds(20))
            }
            _ = try await page("published no forecasts")
        }
    }

    @Test("A name is replaced by its code in the address, and an unknown one is an error at the field")
    func cities() async throws {
        try await withStudio(Source(.weather([]))) { studio, _, cookie in
            let named = try await studio.get(Form.weather("東京").address("/weather"), cookie: cookie)
            #expect(named.status == 303 && named.field("Location") == "/weather?city=\(Self.tokyo)")
            for text in ["Atlantis", "山口県", "13001", "<script>"] {
                let page = try await studio.get(Form.weather(text).address("/weather"), cookie: cookie)
                #expect(page.status == 422 && page.contains(#"id="city-error""#) && !page.contains("<script>"))
            }
            let osaka = try CityCode("270000")
            try await studio.storage.weather.save(
                Weather(id: osaka, title: "", publishedAt: .now, description: nil, forecasts: []))
            let none = try await studio.get("/weather", cookie: cookie)
            #expect(none.contains(#"<a href="/weather?city=270000">大阪府 大阪</a>"#))
            #expect(none.contains("Choose a city") && none.components(of: "<option ") == City.all.count)
        }
    }

    @Test("The chart has a place for each day, also without temperatures, and an axis of round numbers")
    func chart() throws {
        let chart = try #require(WeatherChart(try Self.forecasts()))
        #expect(chart.days.map(\.label) == ["05-28", "05-29", "05-30"])
        #expect(chart.days.map(\.isMissing) == [false, true, false])
        #expect(chart.ticks.map(\.label) == ["-5 °C", "0 °C", "5 °C", "10 °C"])
        let (first, last) = (try #require(chart.days[0].bar), try #require(chart.days[2].bar))
        #expect(first.height == WeatherChart.plotHeight * 10 / 15 && first.y < last.y)
        #expect(last.height == 3 && last.lowest.isEmpty)
        #expect(chart.summary.contains("2026-05-29: no temperatures"))
        #expect(WeatherChart([]) == nil)
        // A day that no forecast is of is missing, too.
        let gap = try #require(WeatherChart([Self.forecasts()[0], Self.forecasts()[2]]))
        #expect(gap.days.map(\.isMissing) == [false, true, false])
    }

    @Test("A bar of a day whose lowest temperature is above the highest is drawn between both")
    func invertedRange() throws {
        let days = try [
            Forecast(
                date: CalendarDate("2026-05-28"), dateLabel: "今日", telop: "", lowest: Temperature(celsius: 12),
                highest: Temperature(celsius: 2))
        ]
        let bar = try #require(WeatherChart(days)?.days.first?.bar)
        #expect(bar.height == 107 && bar.highest == "12 °C" && bar.lowest == "2 °C")
    }

    @Test("While newer weather is loaded, the saved weather stays visible with its age", arguments: [true, false])
    func loadingOverSaved(isWritable: Bool) async throws {
        let source = Source(.never)
        try await RunningStudio.run(isWritable: isWritable, source: source) { studio in
            let published = Instant(seconds: RunningStudio.now.seconds - 3 * 3600)
            try await studio.storage.weather.save(
                Weather(
                    id: CityCode(Self.tokyo), title: "昨日", publishedAt: published, description: nil,
                    forecasts: try Self.forecasts()))
            let cookie = try await studio.signIn()
            let html = try await studio.get("/weather?city=\(Self.tokyo)", cookie: cookie)
            #expect(html.contains("Loading:") && html.contains("昨日") && html.contains("3 hours old"))
        }
    }
}

extension Form {
    fileprivate static func weather(_ city: String) -> Form {
        var form = Form()
        form["city"] = city
        return form
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
