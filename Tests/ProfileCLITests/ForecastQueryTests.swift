import Foundation
import Subprocess
import Testing

/// Tests of `forecast list --where` and `forecast watch`.
@Suite struct ForecastQueryTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private func saveBoth(in store: Store) async throws {
        try await cli.run("forecast", "save", "--city", "130010", in: store, input: ServiceDocuments.livedoor)
        try await cli.run("forecast", "save", "--city", "270000", in: store, input: ServiceDocuments.tsukumijima)
    }

    @Test("A condition selects cities, also by a single day", arguments: StoreKind.allCases)
    func conditions(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await saveBoth(in: store)
        for (condition, cities) in [
            ("title contains 東京", ["130010"]), ("city = 大阪", ["270000"]),
            ("published < 2020-01-01T00:00:00Z", ["130010"]),
            ("day (date = 2024-01-16)", ["270000"]), ("day (highest > 5)", ["130010", "270000"]),
            ("day (weather contains 晴 and highest = 10)", ["130010"]),
            // The conditions hold for different days only.
            ("day (date = 2016-11-28 and highest = 10)", []),
            ("day (date = 2016-11-28) and day (highest = 10)", ["130010"]),
            ("not day (lowest < 0)", ["270000"]), ("city begins 13 or day (lowest >= 2)", ["130010", "270000"]),
        ] {
            let outcome = try await cli.run("forecast", "list", "--where", condition, in: store)
            #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome)")
            #expect(outcome.lines.map { String($0.prefix(6)) } == cities, "\(condition)")
        }
        let sorted = try await cli.run("forecast", "list", "--sort", "published desc", "--limit", "1", in: store)
        #expect(sorted.lines.map { $0.prefix(6) } == ["270000"])
    }

    @Test(
        "A mistake in a condition is marked",
        arguments: [
            ("highest > 5", 64, "expected a field (city, title, published, description, day (…)), not \"highest\""),
            ("day highest > 5", 64, "expected \"(\" after day, not \"highest\""),
            ("day (highest > 5", 64, "expected and, or, or \")\" after a condition, not the end"),
            ("day (city = 130010)", 64, "expected a field (date, weather, lowest, highest), not \"city\""),
            ("day (highest contains 5)", 64, "contains does not apply to highest"),
            ("day (highest > warm)", 65, "is not a temperature"), ("city = 1300", 65, "is not a city code"),
        ] as [(String, Int32, String)])
    func mistakes(_ condition: String, _ code: Int32, _ message: String) async throws {
        let outcome = try await cli.run("forecast", "list", "--where", condition, in: cli.store(.plist))
        #expect(outcome.code == code && outcome.error.contains(message) && outcome.error.contains("^"), "\(outcome)")
        let sort = try await cli.run("forecast", "list", "--sort", "day", in: cli.store(.plist))
        #expect(sort.code == 64 && sort.error.contains("(city, title, published, description)"), "\(sort)")
    }

    @Test("forecast watch prints a city immediately and after each change", arguments: StoreKind.allCases)
    func watchCity(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.run("set-birthday", "2000-01-01", in: store)
        let code = try await cli.watch("forecast", "watch", "大阪", "--json", in: store) { watch in
            #expect(try await watch.line() == #"{"city":"270000","isSaved":false}"#)
            try await saveBoth(in: store)
            let shown = try await cli.run("forecast", "show", "270000", "--format", "json", in: store)
            #expect(try await watch.line() == shown.lines.first)
            try await cli.run("forecast", "delete", "130010", "--yes", in: store)
            try await cli.run("forecast", "delete", "270000", "--yes", in: store)
            #expect(try await watch.line() == #"{"city":"270000","isSaved":false}"#)
            try watch.send(.interrupt)
        }
        #expect(code == 128 + SIGINT)
    }

    @Test("forecast watch prints the cities that meet a condition")
    func watchCondition() async throws {
        let store = cli.store(.lmdb)
        try await saveBoth(in: store)
        let code = try await cli.watch("forecast", "watch", "--where", "day (lowest < 0)", in: store) { watch in
            #expect(try await watch.line()?.hasPrefix("130010\t2016") == true)
            #expect(try await watch.line()?.isEmpty == true)
            try await cli.run("forecast", "delete", "270000", "--yes", in: store)
            try await cli.run("forecast", "delete", "130010", "--yes", in: store)
            #expect(try await watch.line()?.isEmpty == true)
            try watch.send(.interrupt)
        }
        #expect(code == 128 + SIGINT)
        #expect(try await cli.run("forecast", "watch", "東京", "--limit", "1", in: store).code == 64)
    }
}
