import Foundation
import Testing
import WebTesting

/// Tests of fetching from a web server on the loopback interface.
@Suite struct ForecastFetchTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Responds with the weather of every city except the given ones.
    private func service(
        unknown: [String] = [], broken: [String] = [], unreadable: [String] = [], down: [String] = []
    ) -> @Sendable (WebServer.Call) async throws -> WebServer.Response {
        { call in
            let city = String(call.path.split(separator: "/").last ?? "")
            if unknown.contains(city) { return .init(text: #"{"error": "The specified city ID is invalid."}"#) }
            if broken.contains(city) { return .init(500) }
            if down.contains(city) { return .init(text: #"{"error": "Request to JMA API failed (HTTP Error 503)"}"#) }
            return .init(text: unreadable.contains(city) ? "<html>" : ServiceDocuments.tsukumijima)
        }
    }

    // MARK: One city

    @Test("A forecast is fetched and saved", arguments: StoreKind.allCases)
    func fetch(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await WebServer.run(service()) { server in
            let fetched = try await cli.run("forecast", "fetch", "大阪", "--url", server.url, in: store)
            #expect(fetched.code == 0 && fetched.output.isEmpty && fetched.error.isEmpty)
            #expect(server.recorded.map(\.path) == ["/api/forecast/city/270000"])
        }
        let shown = try await cli.run("forecast", "show", "270000", "--format", "json", in: store)
        let weather = try shown.document(WeatherDocument.self)
        #expect(weather == ServiceDocuments.tsukumijimaWeather)
    }

    @Test(
        "A failed fetch ends with the reason and an exit code, and keeps the saved forecast",
        arguments: [("unknown", Int32(1)), ("broken", 69), ("unreadable", 65), ("down", 69)])
    func failures(_ kind: String, _ code: Int32) async throws {
        let store = cli.store(.lmdb)
        try await cli.run("forecast", "save", "--city", "270000", in: store, input: ServiceDocuments.livedoor)
        let cities = [kind: ["270000"]]
        let response = service(
            unknown: cities["unknown"] ?? [], broken: cities["broken"] ?? [], unreadable: cities["unreadable"] ?? [],
            down: cities["down"] ?? [])
        try await WebServer.run(response) { server in
            let outcome = try await cli.run("forecast", "fetch", "270000", "--url", server.url, in: store)
            #expect(outcome.code == code && outcome.isOneSentence, "\(outcome.error)")
            #expect(outcome.error.contains("270000"))
            // Several cities are saved by other code.
            let several = try await cli.run("forecast", "fetch", "270000", "270000", "--url", server.url, in: store)
            #expect(several.code == code)
            let stale = try await cli.run(
                "forecast", "show", "270000", "--max-age", "0", "--url", server.url, in: store)
            #expect(stale.code == 0 && stale.lines.count == 3 && stale.error.contains("days old"), "\(stale)")
        }
        let left = try await cli.run("forecast", "show", "270000", in: store)
        #expect(left.code == 0 && left.lines.count == 3)
    }

    @Test("A refused connection exits with 69")
    func refusedConnection() async throws {
        let url = try await WebServer.run(service()) { $0.url }
        let outcome = try await cli.run("forecast", "fetch", "270000", "--url", url, in: cli.store(.plist))
        #expect(outcome.code == 69 && outcome.isOneSentence)
    }

    static let wrongQuestions: [(String, Int32)] = [
        ("島", 65), ("Paris", 65), ("13001", 65), ("", 64), ("270000 --all", 64), ("270000 --url ftp://x", 65),
        ("270000 --service telepathy", 65), ("270000 --latitude 35", 64), ("270000 --latitude 95 --longitude 0", 65),
        ("130020 --service open-meteo --url http://127.0.0.1:1", 65),
    ]

    @Test("An invalid request fetches nothing", arguments: wrongQuestions)
    func invalidRequests(_ words: String, _ code: Int32) async throws {
        let before = try cli.snapshot()
        let outcome = try await cli.run(
            ["forecast", "fetch"] + words.split(separator: " ").map(String.init), in: cli.store(.plist))
        #expect(outcome.code == code && outcome.output.isEmpty && !outcome.error.isEmpty, "\(outcome.error)")
        #expect(try cli.snapshot() == before)
    }

    @Test("A request to Open-Meteo contains coordinates")
    func coordinates() async throws {
        let document = #"{"daily": {"time": ["2024-02-29"], "weather_code": [61]}}"#
        try await WebServer.run { _ in
            .init(text: document)
        } _: { server in
            let outcome = try await cli.run(
                "forecast", "fetch", "石垣島", "--service", "open-meteo", "--latitude", "24.3", "--longitude", "124.2",
                "--url", server.url, in: cli.store(.plist))
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(server.recorded.first?.query["latitude"] == "24.3")
        }
        let shown = try await cli.run("forecast", "show", "474010", in: cli.store(.plist))
        #expect(shown.output.contains("弱い雨"))
    }

    // MARK: Several cities

    @Test("Cities that fail leave the others fetched")
    func severalCities() async throws {
        let store = cli.store(.lmdb)
        let response = service(unknown: ["016010"], broken: ["130010"], unreadable: ["471010"])
        try await WebServer.run(response) { server in
            let variables = ["PROFILE_FORECAST_URL": server.url]
            let codes = ["270000", "471010", "130010", "016010", "400010"]
            let outcome = try await cli.run(["forecast", "fetch"] + codes, in: store, with: variables)
            // The first city that failed, in the order of the arguments, determines the exit code.
            #expect(outcome.code == 65 && outcome.output.isEmpty)
            let lines = outcome.error.split(separator: "\n")
            #expect(lines.first == "profile-cli: fetched 2 of 5 cities")
            #expect(lines.count == 4 && lines[1].contains("471010") && lines[3].contains("016010"))
        }
        let list = try await cli.run("forecast", "list", in: store)
        #expect(list.lines.map { $0.prefix(6) } == ["270000", "400010"])
    }

    @Test("All cities are fetched with one line of progress")
    func allCities() async throws {
        let store = cli.store(.lmdb)
        // The first save creates the store; counting starts after it.
        try await cli.run("set-mail", "vision@example.com", in: store)
        try await WebServer.run(service()) { server in
            let outcome = try await cli.runInTerminal("forecast", "fetch", "--all", "--url", server.url, in: store)
            #expect(outcome.code == 0)
            // A single line that is updated: it contains a carriage return before each state, and ends with the last
            // one.
            #expect(outcome.lines.count == 1)
            #expect(outcome.lines.first?.hasSuffix("profile-cli: fetched 142 of 142 cities") == true)
            #expect(outcome.output.contains(/profile-cli: \d+ of 142 cities/))
            #expect(server.recorded.count == 142)
        }
        let list = try await cli.run("forecast", "list", in: store)
        #expect(list.lines.count == 142)
    }

    // MARK: Age

    @Test("show fetches a forecast that is too old")
    func maximumAge() async throws {
        let store = cli.store(.lmdb)
        try await WebServer.run(service()) { server in
            let arguments = ["forecast", "show", "大阪", "--url", server.url, "--format", "json", "--max-age"]
            for age in ["1h", "1h", "0"] {
                let outcome = try await cli.run(arguments + [age], in: store)
                #expect(outcome.code == 0 && outcome.error.isEmpty)
                let cached = try outcome.document(CachedDocument.self)
                #expect(!cached.isStale && cached.ageInSeconds < 3600)
            }
            // One request because nothing was saved, and one because the saved weather was too old.
            #expect(server.recorded.count == 2)
        }
    }

    @Test("show serves an old forecast with its age if the service fails")
    func staleForecast() async throws {
        let store = cli.store(.plist)
        try await cli.run("forecast", "save", "--city", "270000", in: store, input: ServiceDocuments.tsukumijima)
        try await WebServer.run(service(broken: ["270000", "130010"])) { server in
            let arguments = ["--url", server.url, "--max-age", "1h"]
            let outcome = try await cli.run(["forecast", "show", "270000"] + arguments, in: store)
            #expect(outcome.code == 0 && outcome.lines.count == 2)
            #expect(outcome.error.contains("days old") && outcome.error.contains("500"))
            let none = try await cli.run(["forecast", "show", "130010"] + arguments, in: store)
            #expect(none.code == 69 && none.isOneSentence)
        }
        let plain = try await cli.run("forecast", "show", "270000", in: store)
        #expect(plain.error.isEmpty)
        let wrong = try await cli.run("forecast", "show", "270000", "--max-age", "soon", in: store)
        #expect(wrong.code == 65 && wrong.isOneSentence)
    }

    private struct CachedDocument: Decodable {
        let fetchedAt: String
        let ageInSeconds: Int
        let isStale: Bool
    }

    // MARK: The list of cities

    @Test("Cities are listed and searched")
    func cities() async throws {
        let all = try await cli.run("forecast", "cities")
        #expect(all.code == 0 && all.lines.count == 142 && all.lines.first == "011000\t道北\t稚内")
        let found = try await cli.run("forecast", "cities", "宮古", "--format", "json")
        #expect(found.lines.last == #"{"code":"473000","name":"宮古島","region":"沖縄県"}"#)
        let none = try await cli.run("forecast", "cities", "Paris")
        #expect(none.code == 1 && none.isOneSentence)
    }

    @Test("The name of a city is accepted instead of its code")
    func names() async throws {
        let store = cli.store(.plist)
        try await cli.run("forecast", "save", "--city", "大阪", in: store, input: ServiceDocuments.tsukumijima)
        let shown = try await cli.run("forecast", "show", "大阪府", in: store)
        #expect(shown.code == 0)
        let deleted = try await cli.run("forecast", "delete", "大阪府 大阪", "--yes", in: store)
        #expect(deleted.code == 0)
    }
}
