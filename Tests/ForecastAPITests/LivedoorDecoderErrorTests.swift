import ForecastAPI
import Testing
import UserProfileDomain
import WebTesting

/// Tests of documents that are rejected, and of the member that the error names.
@Suite struct LivedoorDecoderErrorTests {
    private static let required = ["title", "publicTime", "forecasts[1].date", "forecasts[1].dateLabel"]
    private static let optionalTexts = [
        "description.text", "forecasts[1].telop", "forecasts[1].image.url", "forecasts[1].temperature.min.celsius",
        "forecasts[1].temperature.max.celsius",
    ]
    private static let objects = [
        "description", "forecasts[1].temperature", "forecasts[1].temperature.min", "forecasts[1].temperature.max",
        "forecasts[1].image",
    ]

    private func validationError(_ document: [UInt8]) throws -> ValidationError {
        let city = try CityCode("400010")
        let error = #expect(throws: ValidationError.self) { try DecodedWeather(livedoor: document, for: city) }
        return try #require(error)
    }

    /// Returns the warning for the second day of a document, and expects the first day to be read.
    private func warning(_ document: [UInt8]) throws -> ValidationError {
        let decoded = try DecodedWeather(livedoor: document, for: CityCode("400010"))
        #expect(decoded.weather.forecasts.map(\.dateLabel) == ["今日"] && decoded.warnings.count == 1)
        return try #require(decoded.warnings.first)
    }

    /// Expects an invalid member to be named: in the warning for its day, or in the error for the document.
    @discardableResult
    private func expectRejection(
        of path: String, _ json: String?, _ location: SourceLocation = #_sourceLocation
    ) throws -> ValidationError {
        let document = try WeatherDocument(path, json).bytes()
        let error = try path.hasPrefix("forecasts[") ? warning(document) : validationError(document)
        #expect(error.path == path, sourceLocation: location)
        #expect(error.subject == .weatherDocument, sourceLocation: location)
        #expect(error.description.contains("\(path): "), "\(error)", sourceLocation: location)
        return error
    }

    // MARK: Members

    @Test("A missing member is named", arguments: required, [nil, "null", "{}", "[]"])
    func missingMember(_ path: String, _ json: String?) throws {
        let error = try expectRejection(of: path, json)
        let rules = ["": "the member is missing", "null": "the member is null"]
        #expect(error.rule == rules[json ?? ""] ?? "expected a string or a number")
    }

    @Test(
        "A member that is not a text is named", arguments: required + optionalTexts,
        ["true", "false", "[1]", "[\"x\"]", #"{"text": "x"}"#])
    func wrongText(_ path: String, _ json: String) throws {
        try expectRejection(of: path, json)
    }

    @Test("A member that is not an object is named", arguments: objects, ["true", "6", "\"\"", "\"x\"", "[1]", "[{}]"])
    func wrongObject(_ path: String, _ json: String) throws {
        try expectRejection(of: path, json)
    }

    @Test(
        "Days that are not a list with elements are named",
        arguments: [nil, "null", "[]", "{}", "true", "6", "\"x\"", #"{"0": {}}"#])
    func wrongList(_ json: String?) throws {
        try expectRejection(of: "forecasts", json)
    }

    @Test("A day that is not an object is named", arguments: ["null", "[]", "true", "6", "\"x\""])
    func wrongDay(_ json: String) throws {
        try expectRejection(of: "forecasts[1]", json)
    }

    @Test("A day with an invalid string is named")
    func invalidString() throws {
        let days = "{\"date\": \"2016-11-28\", \"dateLabel\": \"a\"}, {\"d\u{5}ate\": \"b\"}"
        let text = "{\"title\": \"t\", \"publicTime\": \"2016-11-28T17:00:00Z\", \"forecasts\": [\(days)]}"
        let decoded = try DecodedWeather(livedoor: Array(text.utf8), for: CityCode("130010"))
        #expect(decoded.weather.forecasts.count == 1)
        #expect(decoded.warnings.map(\.path) == ["forecasts[1].date"])
    }

    @Test("Of a date that occurs twice the first is kept, and the other is named")
    func repeatedDate() throws {
        try expectRejection(of: "forecasts[1].date", "\"2020-05-05\"")
    }

    @Test("A warning has the date of the day if it can be read")
    func dateOfWarning() throws {
        #expect(try expectRejection(of: "forecasts[1].dateLabel", "null").given == "2020-05-06")
        #expect(try expectRejection(of: "forecasts[1].date", "null").given == "the day")
    }

    @Test("A document without a readable day is an error with the first of the invalid members")
    func noReadableDay() throws {
        var document = try WeatherDocument("forecasts[0].dateLabel", nil)
        try document.set("forecasts[1].date", "\"tomorrow\"")
        #expect(try validationError(try document.bytes()).path == "forecasts[0].dateLabel")
    }

    @Test("A document with many days that cannot be read is an error")
    func manyUnreadableDays() throws {
        var document = try WeatherDocument()
        let day = #"{"date": "2020-05-05", "dateLabel": "今日"}"#
        try document.set("forecasts", "[\(day)\(String(repeating: ", 1", count: 100_000))]")
        #expect(try validationError(try document.bytes()).path == "forecasts[101]")
    }

    @Test(
        "An invalid date is named",
        arguments: [
            "\"\"", "\"2020-5-6\"", "\"20-05-06\"", "\"2020/05/06\"", "\"2020-02-30\"", "\"2020-05-06T00:00:00Z\"",
            "\"２０２０-05-06\"", "20200506",
        ])
    func wrongDate(_ json: String) throws {
        try expectRejection(of: "forecasts[1].date", json)
    }

    @Test(
        "An invalid time is named",
        arguments: [
            "\"\"", "\"2020-05-05\"", "\"2020-05-05 11:00:00+0900\"", "\"2020-05-05T11:00:00\"",
            "\"2020-05-05T24:00:00+0900\"", "\"2020-05-05T11:00:00+9\"", "\"2020/05/05 11:00:00\"", "1588644000",
        ])
    func wrongTime(_ json: String) throws {
        try expectRejection(of: "publicTime", json)
    }

    @Test(
        "An invalid temperature is named",
        arguments: ["forecasts[1].temperature.min.celsius", "forecasts[1].temperature.max.celsius"],
        ["\"warm\"", "\"６\"", "\" 6\"", "\"6°C\"", "\"inf\"", "\"nan\"", "\"0x1p3\"", "\"-273.16\"", "-300"])
    func wrongTemperature(_ path: String, _ json: String) throws {
        try expectRejection(of: path, json)
    }

    @Test("An error has the value and its path")
    func givenValue() throws {
        let error = try warning(try WeatherDocument("forecasts[1].date", "\"2020-5-06\"").bytes())
        #expect(error.given == "2020-5-06")
        #expect(error.offset == 6)
        #expect(error.rule == (try #require(throws: ValidationError.self) { try CalendarDate("2020-5-06") }).rule)
    }

    // The error names the position in the document, although the days are sorted by date.
    @Test("An error counts days as the document does")
    func dayNumbers() throws {
        var document = try WeatherDocument("forecasts[0].date", "\"2030-01-01\"")
        try document.set("forecasts[1].temperature.max.celsius", "\"warm\"")
        let error = try warning(try document.bytes())
        #expect(error.path == "forecasts[1].temperature.max.celsius")
    }

    @Test("The fixture with a wrong type is read without that day")
    func wrongKindFixture() throws {
        let error = try warning(try WeatherFixture.wrongKind.bytes())
        #expect(error.path == "forecasts[1].temperature.max.celsius")
    }

    // MARK: Responses that are not forecasts

    @Test("The error of the service is reported")
    func serviceError() throws {
        let error = try validationError(try WeatherFixture.unknownCity.bytes())
        #expect(error.subject == .weatherDocument)
        #expect(error.path == "error")
        #expect(error.rule.contains("The specified city ID is invalid."))
    }

    // The rule completes the sentence that `description` starts.
    @Test(
        "The rule completes the sentence of the description",
        arguments: ["", "晴れ", "[]", "null", #"{"title": "x", "publicTime": "x", "forecasts": "x"}"#])
    func rule(_ text: String) throws {
        let rule = try validationError(Array(text.utf8)).rule
        #expect(rule.first?.isUppercase == false, "\(rule)")
        #expect(!rule.hasSuffix("."), "\(rule)")
    }

    @Test(
        "A document that is not an object is an error",
        arguments: [
            "", " \n", "{", "}", "晴れ", "<html><body>404 Not Found</body></html>", "{\"title\": }", "{\"title\": \"x\"",
            "{} {}", "[]", "[{}]", "null", "true", "6", "\"forecasts\"",
        ])
    func notAnObject(_ text: String) throws {
        let error = try validationError(Array(text.utf8))
        #expect(error.subject == .weatherDocument)
        #expect(error.path == nil)
        #expect(!error.rule.isEmpty)
    }

    @Test("An empty object is an error")
    func emptyObject() throws {
        #expect(try validationError(Array("{}".utf8)).path == "title")
    }

    @Test("The truncated fixture is an error")
    func truncatedFixture() throws {
        let error = try validationError(try WeatherFixture.truncated.bytes())
        #expect(error.subject == .weatherDocument)
        #expect(error.path == nil)
    }

    @Test("Each beginning of a document is an error", arguments: [WeatherFixture.livedoor, .tsukumijima, .tolerant])
    func beginnings(_ fixture: WeatherFixture) throws {
        var document = try fixture.bytes()
        // A document without the final line feed is complete.
        while document.last == UInt8(ascii: "\n") { document.removeLast() }
        while !document.isEmpty {
            document.removeLast()
            let error = try validationError(document)
            #expect(error.path == nil, "cut at \(document.count)")
        }
    }

    // A lone continuation byte, an overlong slash, a surrogate, and an invalid byte, each inside a string.
    @Test(
        "A document that is not UTF-8 is an error",
        arguments: [[0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xFF]] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) throws {
        let document = Array("{\"title\": \"".utf8) + bytes + Array("\", \"forecasts\": []}".utf8)
        let error = try validationError(document)
        #expect(error.subject == .weatherDocument)
    }

    // The parser is recursive: deep nesting must be an error, not a stack overflow.
    @Test("Deep nesting is an error", arguments: ["[", "{\"a\":"])
    func nesting(_ opening: String) throws {
        let document = "{\"novelty\": " + String(repeating: opening, count: 200_000)
        #expect(try validationError(Array(document.utf8)).path == nil)
    }

    @Test("An error message truncates a long document")
    func longDocument() throws {
        let error = try validationError(Array(repeating: UInt8(ascii: "x"), count: 1 << 20))
        #expect(error.given.count <= 80)
    }
}
