import ForecastAPI
import ForecastHTTP
import Foundation
import Synchronization
import Testing
import UserProfileDomain
import WebTesting

/// Tests of a source with a server that works.
@Suite struct HTTPForecastSourceTests {
    @Test(
        "Documents of both services are read",
        arguments: [
            (
                ForecastService.Provider.livedoor, WeatherFixture.livedoor, "/forecast/webservice/json/v1",
                ["city": "130010"]
            ),
            (.tsukumijima, .tsukumijima, "/api/forecast/city/130010", [:]),
        ])
    func shapes(
        _ provider: ForecastService.Provider, _ fixture: WeatherFixture, _ path: String, _ query: [String: String]
    ) async throws {
        let document = try fixture.bytes()
        let expected = try DecodedWeather(livedoor: document, for: Cities.tokyo()).weather
        try await WebServer.run { _ in
            .init(body: document)
        } _: { server in
            // The path of the base URL precedes the path of the service.
            for base in [server.url, server.url + "/mirror/"] {
                let fetched = try await HTTPForecastSource(provider, at: base).fetch(Cities.tokyo())
                #expect(fetched == .new(expected, nil))
            }
            #expect(server.recorded.map(\.path) == [path, "/mirror" + path])
            #expect(server.recorded.allSatisfy { $0.query == query })
            let call = try #require(server.recorded.first)
            #expect(call.header("User-Agent") == "UserProfile/0.1.0")
            #expect(call.header("Accept") == "application/json")
            #expect(call.header("If-None-Match") == nil && call.header("Cookie") == nil)
        }
    }

    @Test("A forecast of Open-Meteo is fetched by coordinates")
    func openMeteo() async throws {
        let document = try WeatherFixture.openMeteo.bytes()
        // One o'clock at night in Tokyo, which is still the previous day in UTC.
        let headers = ["Date": "Wed, 28 Feb 2024 16:00:00 GMT"]
        try await WebServer.run { _ in
            .init(headers: headers, body: document)
        } _: { server in
            let source = try HTTPForecastSource(.openMeteo, at: server.url)
            let weather = try #require(try await source.fetch(Cities.tokyo()).weather)
            #expect(weather.title == "東京都 東京 の天気")
            #expect(weather.publishedAt.description == "2024-02-28T16:00:00Z")
            #expect(
                weather.forecasts == [
                    Forecast(
                        date: try CalendarDate("2024-02-29"), dateLabel: "今日", telop: "晴れ",
                        lowest: try Temperature(celsius: 2.4), highest: try Temperature(celsius: 11)),
                    Forecast(
                        date: try CalendarDate("2024-03-01"), dateLabel: "明日", telop: "天気コード42",
                        highest: try Temperature(celsius: 9.5)),
                    Forecast(
                        date: try CalendarDate("2024-03-02"), dateLabel: "明後日", telop: "着氷性の弱い霧雨",
                        lowest: try Temperature(celsius: -3)),
                ])
            let call = try #require(server.recorded.first)
            #expect(call.path == "/v1/forecast")
            #expect(call.query["latitude"] == "35.6895" && call.query["longitude"] == "139.6917")
            #expect(call.query["daily"] == "weather_code,temperature_2m_max,temperature_2m_min")
        }
    }

    @Test("A day that cannot be read is left out with a warning")
    func unreadableDays() async throws {
        let document = """
            {"daily": {"time": ["2024-02-29", "2024-02-30", "2024-03-01", "2024-02-29", null],
                       "temperature_2m_min": [2.5, 1, "cold", 7, 1], "temperature_2m_max": [2, 1, 1, 8, 1]}}
            """
        try await WebServer.run { _ in
            .init(text: document)
        } _: { server in
            let fetched = try await HTTPForecastSource(.openMeteo, at: server.url).fetch(Cities.tokyo())
            guard case .new(let weather, _, let warnings) = fetched else { return }
            #expect(weather.forecasts.map(\.date.text) == ["2024-02-29"])
            #expect(weather.forecasts.first?.lowest?.celsius == 2.5)
            #expect(
                warnings.map(\.path) == [
                    "daily.time[1]", "daily.temperature_2m_min[2]", "daily.time[3]", "daily.time[4]",
                ])
        }
    }

    @Test("Open-Meteo without coordinates is an error without a request")
    func missingCoordinates() async throws {
        try await WebServer.run { _ in
            .init(text: "{}")
        } _: { server in
            let source = try HTTPForecastSource(.openMeteo, at: server.url)
            let error = await #expect(throws: ValidationError.self) { try await source.fetch(Cities.ishigaki()) }
            #expect(error?.subject == .city && error?.given == "474010")
            #expect(server.recorded.isEmpty)
            let coordinates = try Coordinates(latitude: 24.3448, longitude: 124.1572)
            let service = try ForecastService(.openMeteo, baseURL: server.url, coordinates: coordinates)
            _ = try? await HTTPForecastSource(service, options: .quick).fetch(Cities.ishigaki())
            #expect(server.recorded.map { $0.query["longitude"] } == ["124.1572"])
        }
    }

    // MARK: Signals

    @Test("The thread of a request receives fault signals, and no other signal")
    func signals() async throws {
        let document = try WeatherFixture.tsukumijima.bytes()
        let blocked = Mutex<[Int32]>([])
        let signals = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGTERM, SIGPIPE]
        try await WebServer.run { _ in
            .init(body: document)
        } _: { server in
            // The source calls this closure on the thread of the request.
            _ = try await HTTPForecastSource(at: server.url).fetch(Cities.tokyo(), unlessStill: nil) { _ in
                var mask = sigset_t()
                unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
                let members = signals.filter { unsafe sigismember(&mask, $0) == 1 }
                blocked.withLock { $0 = members }
            }
        }
        #expect(blocked.withLock { $0 } == [SIGTERM, SIGPIPE])
    }

    // MARK: Versions

    @Test(
        "An unchanged document is not sent again",
        arguments: [
            (["ETag": "\"1\""], "If-None-Match", "\"1\""),
            (["Last-Modified": "Wed, 28 Feb 2024 16:00:00 GMT"], "If-Modified-Since", "Wed, 28 Feb 2024 16:00:00 GMT"),
        ])
    func notModified(_ headers: [String: String], _ field: String, _ value: String) async throws {
        let document = try WeatherFixture.tsukumijima.bytes()
        try await WebServer.run { call in
            call.header(field) == value ? .init(304, headers: headers) : .init(headers: headers, body: document)
        } _: { server in
            let source = try HTTPForecastSource(at: server.url)
            let first = try await source.fetch(Cities.tokyo())
            let version = try #require(first.version)
            let second = try await source.fetch(Cities.tokyo(), unlessStill: version) { _ in }
            #expect(second == .unchanged)
            // A version is valid only for the address it was fetched from.
            let other = try await source.fetch(Cities.ishigaki(), unlessStill: version) { _ in }
            #expect(other.weather != nil)
            #expect(server.recorded.map { $0.header(field) } == [nil, value, nil])
        }
    }

    // MARK: Transfer encodings

    @Test("A compressed response is decompressed")
    func compression() async throws {
        let document = try WeatherFixture.livedoor.bytes()
        let expected = try DecodedWeather(livedoor: document, for: Cities.tokyo()).weather
        try await WebServer.run { _ in
            .init(headers: ["Content-Encoding": "gzip"], body: gzip(document))
        } _: { server in
            let fetched = try await HTTPForecastSource(at: server.url).fetch(Cities.tokyo())
            #expect(fetched.weather == expected)
            #expect(server.recorded.first?.header("Accept-Encoding")?.contains("gzip") == true)
        }
    }

    @Test("A response is read byte by byte")
    func slowResponse() async throws {
        let document = try WeatherFixture.tsukumijima.bytes()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(document.count)\r\n\r\n"
        let progress = Mutex<[FetchProgress]>([])
        try await SocketServer.run { _ in
            (Array(head.utf8) + document).map { .send([$0]) }
        } _: { url in
            let fetched = try await HTTPForecastSource(at: url).fetch(Cities.tokyo(), unlessStill: nil) { step in
                progress.withLock { $0.append(step) }
            }
            #expect(fetched.weather != nil)
        }
        let steps = progress.withLock { $0 }
        #expect(steps.first == FetchProgress(receivedByteCount: 0, expectedByteCount: document.count))
        #expect(steps.last == FetchProgress(receivedByteCount: document.count, expectedByteCount: document.count))
        let counts = steps.map(\.receivedByteCount)
        #expect(counts == counts.sorted())
    }

    @Test("A redirect of the same scheme is followed")
    func redirect() async throws {
        let document = try WeatherFixture.tsukumijima.bytes()
        try await WebServer.run { call in
            call.path == "/elsewhere"
                ? .init(body: document) : .init(302, headers: ["Location": "/elsewhere"])
        } _: { server in
            let fetched = try await HTTPForecastSource(at: server.url).fetch(Cities.tokyo())
            #expect(fetched.weather != nil)
            #expect(server.recorded.count == 2)
        }
    }

    // MARK: Request spacing

    @Test("Requests to a service have a minimum interval")
    func distance() async throws {
        let document = try WeatherFixture.tsukumijima.bytes()
        let timing = FakeTiming()
        var options = FetchOptions.quick
        options.spacing = .seconds(2)
        let spaced = options
        try await WebServer.run { _ in
            .init(body: document)
        } _: { server in
            let source = try HTTPForecastSource(at: server.url, options: spaced, timing: timing)
            for _ in 0..<3 { _ = try await source.fetch(Cities.tokyo()) }
        }
        #expect(timing.sleeps == [.seconds(2), .seconds(2)])
    }
}
