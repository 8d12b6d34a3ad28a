import Foundation
import Testing
import WebTesting

/// Tests that invalid documents change nothing in the store, and that the message names the member.
@Suite struct BadDocumentTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    struct BadDocument: CustomTestStringConvertible {
        let name: String
        let text: String
        /// Words that the message must contain.
        let words: [String]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ words: String...) {
            (self.name, self.text, self.words) = (name, text, words)
        }

        /// Creates the document of tsukumijima with a part replaced.
        init(_ name: String, replacing old: String, with new: String, _ words: String...) {
            self.name = name
            text = ServiceDocuments.tsukumijima.replacing(old, with: new)
            self.words = words
        }
    }

    static let badDocuments = [
        BadDocument("empty", "", "JSON"),
        BadDocument("cut off", String(ServiceDocuments.tsukumijima.dropLast(200)), "JSON"),
        BadDocument("a page", "<html><body>503 Service Unavailable</body></html>", "JSON"),
        BadDocument("a list", "[]"),
        BadDocument(
            "the answer for an unknown city", #"{"error": "The specified city ID is invalid."}"#,
            "The specified city ID is invalid."),
        BadDocument("no title", replacing: #""title": "大阪府 大阪 の天気","#, with: "", "title"),
        BadDocument("time without a zone", replacing: "11:00:00+09:00", with: "11:00:00", "publicTime"),
        BadDocument(
            "text for the days", #"{"title": "", "publicTime": "2024-01-15T11:00:00Z", "forecasts": "晴れ"}"#,
            "forecasts"),
        BadDocument("no days", #"{"title": "", "publicTime": "2024-01-15T11:00:00Z", "forecasts": []}"#, "forecasts"),
        BadDocument(
            "no readable day", replacing: #""date": "2024-01"#, with: #""date": "2024-13"#, "forecasts[0].date"),
        BadDocument("too large", String(repeating: " ", count: 1 << 20) + ServiceDocuments.tsukumijima, "bytes"),
    ]

    /// The document is rejected before the store is opened, so one kind of store is enough.
    @Test("An invalid weather document changes nothing and is reported with the member", arguments: badDocuments)
    func badDocument(_ document: BadDocument) async throws {
        let store = cli.store(.plist)
        try await cli.run("forecast", "save", "--city", "270000", in: store, input: ServiceDocuments.tsukumijima)
        let file = try cli.write(document.text, to: "bad.json")
        let outcome = try await cli.run("forecast", "save", file.path, "--city", "270000", in: store)
        #expect(outcome.code == 65 && outcome.isOneSentence, "\(outcome.error)")
        for words in document.words { #expect(outcome.error.contains(words), "\(outcome.error)") }
        let list = try await cli.run("forecast", "list", "--format", "json", in: store)
        #expect(try list.documents() == [ServiceDocuments.tsukumijimaWeather])
    }

    static let badDays = [
        BadDocument(
            "a word for degrees", replacing: #""7.5""#, with: #""warm""#, "forecasts[1].temperature.max.celsius"),
        BadDocument("a list for degrees", replacing: #""7.5""#, with: "[7]", "forecasts[1].temperature.max.celsius"),
        BadDocument("below absolute zero", replacing: #""7.5""#, with: "-300", "forecasts[1].temperature.max.celsius"),
        BadDocument("no such day", replacing: "2024-01-16", with: "2024-01-32", "forecasts[1].date"),
        BadDocument("a date twice", replacing: "2024-01-16", with: "2024-01-15", "forecasts[1].date"),
        BadDocument("null for a label", replacing: #""明日""#, with: "null", "forecasts[1].dateLabel", "null"),
        BadDocument(
            "a number for a picture", replacing: #"{"title": null, "url": null,"#,
            with: #"7, "x": {"#, "forecasts[1].image"),
    ]

    @Test("A document is saved or fetched without a bad day, which is reported", arguments: badDays)
    func badDay(_ document: BadDocument) async throws {
        let store = cli.store(.plist)
        let saved = try await cli.run("forecast", "save", "--city", "270000", in: store, input: document.text)
        let (text, source) = (document.text, ["forecast", "fetch", "270000", "--url"])
        let (one, two) = try await WebServer.run { _ in
            .init(text: text)
        } _: { [cli] server in
            let one = try await cli.run(source + [server.url], in: store)
            return (one, try await cli.run(source + [server.url, "016010"], in: store))
        }
        for outcome in [saved, one] {
            #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.isOneSentence, "\(outcome)")
            for words in document.words { #expect(outcome.error.contains(words), "\(outcome.error)") }
        }
        #expect(two.code == 0 && two.error.split(separator: "\n").count == 3, "\(two.error)")
        let shown = try await cli.run("forecast", "show", "270000", "--format", "json", in: store)
        let first = ServiceDocuments.tsukumijimaWeather.forecasts.prefix(1)
        #expect(try shown.document(WeatherDocument.self).forecasts == Array(first))
    }

    @Test("Optional members that are missing or empty are nil")
    func missingMembers() async throws {
        let document = """
            {"title": 7, "publicTime": "2024-01-15T11:00:00Z", "description": [], "forecasts": [
              {"date": "2024-01-15", "dateLabel": "今日", "telop": "晴れ", "temperature": {}, "image": []},
              {"date": "2024-01-16", "dateLabel": "明日", "telop": "晴れ"},
              {"date": "2024-01-17", "dateLabel": "明後日", "telop": "晴れ",
               "temperature": {"min": [], "max": {"celsius": 7}}},
              {"date": "2024-01-18", "dateLabel": "18日", "telop": null, "temperature":
               {"min": {"celsius": "5"}, "max": {"celsius": "-1"}}}]}
            """
        let saved = try await cli.run("forecast", "save", "--city", "270000", in: cli.store(.plist), input: document)
        #expect(saved.code == 0 && saved.error.isEmpty, "\(saved.error)")
        let shown = try await cli.run("forecast", "show", "270000", "--format", "json", in: cli.store(.plist))
        let days = try shown.document(WeatherDocument.self).forecasts
        #expect(days.map(\.lowest) == [nil, nil, nil, 5] && days.map(\.highest) == [nil, nil, 7, -1])
    }

    @Test("A document of one mebibyte is accepted, and a larger one is rejected")
    func documentSize() async throws {
        let document = Array(ServiceDocuments.tsukumijima.utf8)
        let spaces = [UInt8](repeating: 0x20, count: (1 << 20) - document.count)
        let arguments = ["forecast", "save", "--city", "270000"]
        #expect(try await cli.run(arguments, in: cli.store(.plist), input: spaces + document).code == 0)
        #expect(try await cli.run(arguments, in: cli.store(.plist), input: [0x20] + spaces + document).code == 65)
    }
}
