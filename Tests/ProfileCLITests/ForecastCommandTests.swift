import Foundation
import Testing

@Suite struct ForecastCommandTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Saves both documents, each with a different kind of input.
    private func saveBoth(in store: Store) async throws {
        let file = try cli.write(ServiceDocuments.livedoor, to: "weather.json")
        try await cli.run("forecast", "save", file.path, "--city", "130010", in: store)
        try await cli.run("forecast", "save", "--city", "270000", in: store, input: ServiceDocuments.tsukumijima)
    }

    // MARK: Saving

    @Test("A weather document is saved from a file", arguments: StoreKind.allCases)
    func file(_ kind: StoreKind) async throws {
        let file = try cli.write(ServiceDocuments.livedoor, to: "with space/天気.json")
        let saved = try await cli.run("forecast", "save", file.path, "--city", "130010", in: cli.store(kind))
        #expect(saved.code == 0 && saved.output.isEmpty && saved.error.isEmpty)
        let shown = try await cli.run("forecast", "show", "130010", "--format", "json", in: cli.store(kind))
        #expect(try shown.document() == ServiceDocuments.livedoorWeather)
    }

    @Test("A weather document is saved from standard input", arguments: StoreKind.allCases, [["-"], []])
    func standardInput(_ kind: StoreKind, _ file: [String]) async throws {
        let saved = try await cli.run(
            ["forecast", "save"] + file + ["--city", "270000"], in: cli.store(kind),
            input: Array(ServiceDocuments.tsukumijima.utf8))
        #expect(saved.code == 0 && saved.output.isEmpty && saved.error.isEmpty)
        let shown = try await cli.run("forecast", "show", "270000", "--format", "json", in: cli.store(kind))
        #expect(try shown.document() == ServiceDocuments.tsukumijimaWeather)
    }

    @Test("save accepts what show prints", arguments: StoreKind.allCases)
    func roundTrip(_ kind: StoreKind) async throws {
        try await saveBoth(in: cli.store(kind))
        for city in ["130010", "270000"] {
            let shown = try await cli.run("forecast", "show", city, "--format", "json", in: cli.store(kind))
            let copy = cli.store(kind, "copy")
            let saved = try await cli.run("forecast", "save", "-", in: copy, input: shown.output)
            #expect(saved.code == 0 && saved.output.isEmpty && saved.error.isEmpty, "\(saved)")
            #expect(
                try await cli.run("forecast", "show", city, "--format", "json", in: copy).output == shown.output)
        }
    }

    @Test(
        "save names what is invalid in a printed document, and leaves out invalid days",
        arguments: [
            ("2016-11-30", "2016-11-29", 2, "forecasts[2].date: an earlier day has the same date"),
            (#""lowest":-1"#, #""lowest":-300"#, 2, "forecasts[1].lowest: "),
            (#""lowest":-1"#, #""lowest":10.5"#, 3, ""), (#""telop":"雨""#, #""telop":null"#, 3, ""),
            ("2016-11-30", "2016-11-31", 2, "forecasts[2].date: "), ("130010", "13001", nil, "city: "),
            ("T08:00:00Z", "T25:00:00Z", nil, "publishedAt: "),
            (#""telop":"雨""#, #""telop":1"#, 2, "forecasts[2].telop: "),
            (#""city":"130010","#, "", nil, "city: the member is missing"),
        ] as [(String, String, Int?, String)])
    func invalidPrinted(_ old: String, _ new: String, _ dayCount: Int?, _ message: String) async throws {
        try await saveBoth(in: cli.store(.plist))
        let shown = try await cli.run("forecast", "show", "130010", "--format", "json", in: cli.store(.plist)).output
        #expect(shown.contains(old))
        let copy = cli.store(.plist, "copy")
        let outcome = try await cli.run("forecast", "save", in: copy, input: shown.replacing(old, with: new))
        #expect(outcome.code == (dayCount == nil ? 65 : 0) && outcome.output.isEmpty, "\(outcome)")
        #expect(message.isEmpty ? outcome.error.isEmpty : outcome.error.contains(message), "\(outcome)")
        if let dayCount {
            #expect(try await cli.run("forecast", "show", "130010", in: copy).lines.count == dayCount)
        }
    }

    @Test("The city of a document must be known and match --city")
    func cityOfDocument() async throws {
        let store = cli.store(.plist)
        let unnamed = try await cli.run("forecast", "save", in: store, input: ServiceDocuments.tsukumijima)
        #expect(unnamed.code == 64 && unnamed.error.contains("pass --city"))
        try await saveBoth(in: store)
        let shown = try await cli.run("forecast", "show", "130010", "--format", "json", in: store)
        let other = try await cli.run("forecast", "save", "--city", "270000", in: store, input: shown.output)
        #expect(other.code == 65 && other.error.contains("city: the document is for another city, not 270000"))
        #expect(try await cli.run("forecast", "save", "--city", "東京", in: store, input: shown.output).code == 0)
    }

    @Test("Saving replaces the weather of one city", arguments: StoreKind.allCases)
    func replacedCity(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await saveBoth(in: store)
        try await cli.run("forecast", "save", "--city", "130010", in: store, input: ServiceDocuments.tsukumijima)
        let list = try await cli.run("forecast", "list", "--format", "json", in: store)
        let weather = ServiceDocuments.tsukumijimaWeather
        #expect(
            try list.documents() == [
                WeatherDocument(
                    city: "130010", title: weather.title, publishedAt: weather.publishedAt,
                    description: weather.description, forecasts: weather.forecasts), weather,
            ])
    }

    @Test("A city code keeps its leading zero")
    func leadingZero() async throws {
        try await cli.run(
            "forecast", "save", "--city", "016010", in: cli.store(.plist), input: ServiceDocuments.tsukumijima)
        #expect(try await cli.run("forecast", "show", "016010", in: cli.store(.plist)).code == 0)
        #expect(try await cli.run("forecast", "list", in: cli.store(.plist)).output.hasPrefix("016010\t"))
    }

    // MARK: Show, list, delete

    @Test("show prints tabs if the output is not a terminal", arguments: StoreKind.allCases)
    func tabs(_ kind: StoreKind) async throws {
        try await saveBoth(in: cli.store(kind))
        let livedoor = try await cli.run("forecast", "show", "130010", in: cli.store(kind))
        #expect(
            livedoor.lines == [
                "2016-11-28\t今日\t晴れ\t\t\thttp://weather.livedoor.com/img/icon/1.gif",
                "2016-11-29\t明日\t曇時々晴\t-1\t10\thttp://weather.livedoor.com/img/icon/9.gif",
                "2016-11-30\t明後日\t雨\t\t22\thttp://weather.livedoor.com/img/icon/15.gif",
            ])
        let tsukumijima = try await cli.run("forecast", "show", "270000", in: cli.store(kind))
        #expect(
            tsukumijima.lines == [
                "2024-01-15\t今日\t晴れ\t\t11\thttps://www.jma.go.jp/bosai/forecast/img/100.svg",
                "2024-01-16\t明日\t曇り\t2\t7.5\t",
            ])
    }

    @Test("list prints a line for each city", arguments: StoreKind.allCases)
    func list(_ kind: StoreKind) async throws {
        try await saveBoth(in: cli.store(kind))
        let outcome = try await cli.run("forecast", "list", in: cli.store(kind))
        #expect(
            outcome.lines == [
                "130010\t2016-11-28T08:00:00Z\t3\t東京都 東京 の天気", "270000\t2024-01-15T02:00:00Z\t2\t大阪府 大阪 の天気",
            ])
    }

    @Test("Deleting a city leaves other cities and users", arguments: StoreKind.allCases)
    func deletion(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await saveBoth(in: store)
        try await cli.run("set-mail", "vision@example.com", "--user", "130010", in: store)
        let deleted = try await cli.run("forecast", "delete", "130010", "--yes", in: store)
        #expect(deleted.code == 0 && deleted.output.isEmpty && deleted.error.isEmpty)
        #expect(try await cli.run("forecast", "list", in: store).lines.count == 1)
        #expect(try await cli.run("get-mail", "--user", "130010", in: store).code == 0)
    }

    @Test("A city that was never saved exits with 1", arguments: StoreKind.allCases, ["show", "delete"])
    func unknownCity(_ kind: StoreKind, _ command: String) async throws {
        try await cli.run("set-birthday", "2011-08-01", in: cli.store(kind))
        let outcome = try await cli.run("forecast", command, "130010", in: cli.store(kind))
        #expect(outcome.code == 1 && outcome.isOneSentence && outcome.error.contains("130010"))
    }

    // MARK: On a terminal

    @Test("show aligns columns and draws bars on a terminal")
    func showOnTerminal() async throws {
        try await saveBoth(in: cli.store(.plist))
        let outcome = try await cli.runInTerminal("forecast", "show", "130010", in: cli.store(.plist))
        #expect(outcome.code == 0)
        #expect(outcome.lines.contains { $0.contains("東京都 東京 の天気") && $0.contains("130010") })
        #expect(outcome.lines.contains("【関東甲信地方】"))
        #expect(outcome.lines.contains { $0.contains("-1 °C") && $0.contains("22 °C") && !$0.hasPrefix("2016") })

        let rows = outcome.lines.filter { $0.hasPrefix("2016-11-") }
        try #require(rows.count == 3)
        let labels = try zip(rows, ["今日", "明日", "明後日"]).map { try column(of: $1, in: $0) }
        #expect(Set(labels).count == 1)
        let telops = try zip(rows, ["晴れ", "曇時々晴", "雨"]).map { try column(of: $1, in: $0) }
        #expect(Set(telops).count == 1)
        // The temperatures are aligned right.
        #expect(try columnAfter("10 °C", in: rows[1]) == columnAfter("22 °C", in: rows[2]))
        #expect(rows[1].contains("-1 °C") && !rows[0].contains("°C"))

        // One column per degree, from −1 to 10, and a single mark for the 22 of a day without a low.
        let start = try column(of: "█", in: rows[1])
        #expect(rows[1].hasSuffix(" " + String(repeating: "█", count: 12)))
        #expect(rows[2].hasSuffix(" ◆"))
        #expect(try column(of: "◆", in: rows[2]) == start + 23)
        #expect(!rows[0].contains("█") && !rows[0].contains("◆"))
    }

    @Test("list aligns columns on a terminal")
    func listOnTerminal() async throws {
        try await saveBoth(in: cli.store(.plist))
        let outcome = try await cli.runInTerminal("forecast", "list", in: cli.store(.plist))
        #expect(
            outcome.lines == [
                "city    published             days  title",
                "130010  2016-11-28T08:00:00Z     3  東京都 東京 の天気", "270000  2024-01-15T02:00:00Z     2  大阪府 大阪 の天気",
            ])
    }

    @Test("Control characters of a document are not printed")
    func controlCharacters() async throws {
        let document = ServiceDocuments.tsukumijima.replacing("曇り", with: #"\u001b[2J曇\t\n\u009b"#)
        try await cli.run("forecast", "save", "--city", "270000", in: cli.store(.plist), input: document)
        for outcome in [
            try await cli.run("forecast", "show", "270000", in: cli.store(.plist)),
            try await cli.runInTerminal("forecast", "show", "270000", in: cli.store(.plist)),
        ] {
            #expect(outcome.lines.contains { $0.contains("[2J曇") })
            #expect(!outcome.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
        }
    }

    /// Returns the terminal column at which a text starts.
    private func column(of text: String, in line: String) throws -> Int {
        let range = try #require(line.firstRange(of: text))
        return width(line[..<range.lowerBound])
    }

    /// Returns the terminal column after a text.
    private func columnAfter(_ text: String, in line: String) throws -> Int {
        let range = try #require(line.firstRange(of: text))
        return width(line[..<range.upperBound])
    }

    /// Returns the width of a text in columns: two for the Japanese characters of these tests, one for all others.
    private func width(_ text: Substring) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
    }
}
