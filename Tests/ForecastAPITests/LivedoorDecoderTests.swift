import ForecastAPI
import Testing
import UserProfileDomain
import WebTesting

/// Tests of the members that the decoder reads, and of the values that count as missing.
@Suite struct LivedoorDecoderTests {
    private let city: CityCode

    init() throws { city = try CityCode("016010") }

    // MARK: Whole documents

    @Test("The document of livedoor is read")
    func livedoor() throws {
        let city = try CityCode("130010")
        let weather = try livedoorWeather(try WeatherFixture.livedoor.bytes(), for: city)
        let expected = Weather(
            id: city,
            title: "見本町 の天気",
            publishedAt: try Instant("2024-02-27T20:30:00Z"),
            description: " 見本町の上空には、紙でできた雲が広がっています。\n\n あすは「うるう日」で、雪のあと晴れるでしょう。",
            forecasts: [
                Forecast(
                    date: try CalendarDate("2024-02-28"), dateLabel: "今日", telop: "曇のち雪",
                    highest: try Temperature(celsius: 7),
                    imageURL: "https://weather.example/icon/clouds-snow.gif"),
                Forecast(
                    date: try CalendarDate("2024-02-29"), dateLabel: "明日", telop: "雪時々晴",
                    lowest: try Temperature(celsius: -2), highest: try Temperature(celsius: 4),
                    imageURL: "https://weather.example/icon/snow-sun.gif"),
                Forecast(
                    date: try CalendarDate("2024-03-01"), dateLabel: "明後日", telop: "晴",
                    imageURL: "https://weather.example/icon/sun.gif"),
            ])
        #expect(weather == expected)
    }

    @Test("The document of tsukumijima is read")
    func tsukumijima() throws {
        let city = try CityCode("270000")
        let weather = try livedoorWeather(try WeatherFixture.tsukumijima.bytes(), for: city)
        let expected = Weather(
            id: city,
            title: "架空府 紙風船 の天気",
            publishedAt: try Instant("2025-12-31T08:00:00Z"),
            description: """
                紙風船では、元日にかけて強い風に気をつけてください。

                冬の見本の気圧配置が続きます。

                元日は、晴れて「初日の出」が見えるでしょう。
                """,
            forecasts: [
                Forecast(
                    date: try CalendarDate("2025-12-31"), dateLabel: "今日", telop: "晴時々曇",
                    imageURL: "https://forecast.example/icon/sun-clouds.svg"),
                Forecast(
                    date: try CalendarDate("2026-01-01"), dateLabel: "明日", telop: "晴れ",
                    lowest: try Temperature(celsius: -1), highest: try Temperature(celsius: 12),
                    imageURL: "https://forecast.example/icon/sun.svg"),
                Forecast(
                    date: try CalendarDate("2026-01-02"), dateLabel: "明後日", telop: "雨か雪",
                    lowest: try Temperature(celsius: 0), highest: try Temperature(celsius: 5)),
            ])
        #expect(weather == expected)
    }

    @Test("A document without optional members is read")
    func gaps() throws {
        let weather = try livedoorWeather(try WeatherFixture.tolerant.bytes(), for: city)
        let expected = Weather(
            id: city,
            title: "とぎれとぎれ の天気",
            publishedAt: try Instant("2023-07-07T14:00:00Z"),
            description: nil,
            forecasts: [
                Forecast(date: try CalendarDate("2023-07-07"), dateLabel: "今日", telop: "暴風雨"),
                Forecast(date: try CalendarDate("2023-07-08"), dateLabel: "明日", telop: "霧"),
                Forecast(date: try CalendarDate("2023-07-09"), dateLabel: "明後日", telop: "みぞれ"),
                Forecast(
                    date: try CalendarDate("2023-07-10"), dateLabel: "10日(月)", telop: "晴",
                    highest: try Temperature(celsius: 31)),
            ])
        #expect(weather == expected)
    }

    // MARK: Single members

    @Test(
        "Empty members are nil",
        arguments: [
            "description", "description.text", "forecasts[1].telop", "forecasts[1].temperature",
            "forecasts[1].temperature.min",
            "forecasts[1].temperature.min.celsius", "forecasts[1].image", "forecasts[1].image.url",
        ], [nil, "null", "{}", "[]"])
    func emptyMembers(_ path: String, _ json: String?) throws {
        let weather = try livedoorWeather(try WeatherDocument(path, json).bytes(), for: city)
        let day = try #require(weather.forecasts.last)
        switch path.split(separator: ".").dropFirst().first {
        case "temperature":
            #expect(day.lowest == nil)
            // The other temperature is dropped only if the damaged member contains both.
            #expect((day.highest == nil) == path.hasSuffix("temperature"))
            #expect(day.imageURL == "https://weather.example/2.gif")
        case "telop":
            #expect(day.telop.isEmpty && day.imageURL == "https://weather.example/2.gif")
        case "image":
            #expect(day.imageURL == nil)
            #expect(day.highest == (try Temperature(celsius: 24)))
        default:
            #expect(weather.description == nil)
            #expect(weather.title == "試験町 の天気")
        }
    }

    @Test(
        "A number is accepted for a text",
        arguments: [("6", "6"), ("-1.5", "-1.5"), ("9007199254740993", "9007199254740993")])
    func numberForText(_ json: String, _ expected: String) throws {
        var document = try WeatherDocument("title", json)
        try document.set("description.text", json)
        for name in ["dateLabel", "telop", "image.url"] { try document.set("forecasts[1].\(name)", json) }
        let weather = try livedoorWeather(try document.bytes(), for: city)
        let day = try #require(weather.forecasts.last)
        let texts = [weather.title, weather.description, day.dateLabel, day.telop, day.imageURL]
        #expect(texts.allSatisfy { $0 == expected }, "\(texts)")
    }

    @Test(
        "Temperatures are read",
        arguments: [
            ("\"6\"", 6), ("\"-1.5\"", -1.5), ("\"+3\"", 3), ("\"-0\"", 0), ("6", 6), ("6.0", 6), ("-1.5", -1.5),
            ("1e1", 10), ("0.1", 0.1), ("0.00001", 0.00001),
        ])
    func temperatures(_ json: String, _ celsius: Double) throws {
        var document = try WeatherDocument("forecasts[1].temperature.max.celsius", json)
        try document.set("forecasts[1].temperature.min", nil)
        let weather = try livedoorWeather(try document.bytes(), for: city)
        #expect(weather.forecasts.last?.highest?.celsius == celsius)
    }

    @Test(
        "The time of publication is read",
        arguments: [
            ("2020-05-05T11:00:00+0900", "2020-05-05T02:00:00Z"),
            ("2020-05-05T11:00:00+09:00", "2020-05-05T02:00:00Z"),
            ("2020-05-05T11:00:00Z", "2020-05-05T11:00:00Z"),
            ("2020-05-05T11:00:00.25-0330", "2020-05-05T14:30:00.25Z"),
        ])
    func publicationTime(_ text: String, _ expected: String) throws {
        let document = try WeatherDocument("publicTime", "\"\(text)\"")
        let weather = try livedoorWeather(try document.bytes(), for: city)
        #expect(weather.publishedAt == (try Instant(expected)))
    }

    @Test("Days are sorted by date")
    func dayOrder() throws {
        var document = try WeatherDocument("forecasts[0].date", "\"2020-05-07\"")
        try document.set("forecasts[0].dateLabel", "\"明後日\"")
        let weather = try livedoorWeather(try document.bytes(), for: city)
        #expect(weather.forecasts.map(\.dateLabel) == ["明日", "明後日"])
        #expect(weather.forecasts.map(\.date.description) == ["2020-05-06", "2020-05-07"])
    }

    @Test("A lowest temperature above the highest is read")
    func lowestAboveHighest() throws {
        let json = #"{"min": {"celsius": "7"}, "max": {"celsius": "6.5"}}"#
        let weather = try livedoorWeather(try WeatherDocument("forecasts[1].temperature", json).bytes(), for: city)
        let day = try #require(weather.forecasts.last)
        #expect(day.lowest?.celsius == 7 && day.highest?.celsius == 6.5)
    }

    @Test(
        "Unknown members are ignored",
        arguments: ["", "description.", "forecasts[0].", "forecasts[0].temperature.", "forecasts[0].image."],
        ["null", "true", "6", "\"x\"", "[[]]", #"{"celsius": true, "date": 1}"#])
    func unknownMembers(_ path: String, _ json: String) throws {
        var document = try WeatherDocument()
        let expected = try livedoorWeather(try document.bytes(), for: city)
        try document.set("\(path)novelty", json)
        let weather = try livedoorWeather(try document.bytes(), for: city)
        #expect(weather == expected)
    }

    @Test(
        "Members that are not needed may have any type",
        arguments: ["location", "pinpointLocations", "link", "forecasts[0].chanceOfRain", "forecasts[0].detail"])
    func unneededMembers(_ path: String) throws {
        var document = try WeatherDocument()
        let expected = try livedoorWeather(try document.bytes(), for: city)
        try document.set(path, "true")
        let weather = try livedoorWeather(try document.bytes(), for: city)
        #expect(weather == expected)
    }
}
