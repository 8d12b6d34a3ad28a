// The JSON of the livedoor weather service (v1) and of its successor weather.tsukumijima.net, which differ only in
// details, and the JSON that `profile-cli` prints.
//
// Unknown members are ignored. In documents of the services, temperatures, pictures and the description are `nil` if
// the member is missing, `null`, `{}` or `[]`, and numbers and strings are interchangeable. Any other type mismatch is
// a `ValidationError` with the path of the member. In a day, it is a warning, and the day is left out.
extension DecodedWeather {
    /// Decodes the weather document of a city. Throws `ValidationError` if the document is invalid, contains an error
    /// message, or names another city, or if no day can be read.
    package init(livedoor document: [UInt8], for city: CityCode) throws(ValidationError) {
        self = try Self.read(document) { root throws(ValidationError) in
            guard try root.isSaved else { return try Self.weather(in: root, of: city, isSaved: false) }
            var root = root
            root.isLenient = false
            try root["city"].value { text throws(ValidationError) in
                guard try CityCode(text) == city else {
                    throw ValidationError(
                        .weatherDocument, given: text, rule: "the document is for another city, not \(city)")
                }
            }
            return try Self.weather(in: root, of: city, isSaved: true)
        }
    }

    /// Returns the city that a document names. Only documents that were printed by `profile-cli` name one.
    ///
    /// - Parameter document: The document.
    /// - Returns: The code of the city, or `nil` if the document does not name a city.
    /// - Throws: `ValidationError` if the document is not weather.
    package static func city(ofLivedoor document: [UInt8]) throws(ValidationError) -> CityCode? {
        try read(document) { root throws(ValidationError) in
            if try root.isSaved { return try root["city"].value(CityCode.init(_:)) }
            _ = try root["forecasts"].elements()
            return nil
        }
    }

    private static func read<Value>(
        _ document: [UInt8], _ body: (JSONMember) throws(ValidationError) -> Value
    ) throws(ValidationError) -> Value {
        let root = try JSONMember(parsing: document)
        do {
            return try body(root)
        } catch {
            guard let message = root.errorMessage else { throw error }
            let rule = "\(FetchFailure.answer(message))"
            throw ValidationError(.weatherDocument, given: root.given, rule: rule, path: "error")
        }
    }

    /// Reads a document of a service, or a document that `profile-cli forecast show --format json` has printed
    /// (`isSaved`).
    private static func weather(
        in root: JSONMember, of city: CityCode, isSaved: Bool
    ) throws(ValidationError) -> DecodedWeather {
        // Some members have a name in a saved document, and a path of other names in a document of a service.
        func path(_ saved: String, _ published: String...) -> [String] { isSaved ? [saved] : published }
        let title = try root["title"].text()
        let publishedAt = try root[isSaved ? "publishedAt" : "publicTime"].value(Instant.init(_:))
        let description = try root.optional(path("description", "description", "text"))?.text()
        let fetchedAt = try isSaved ? root["fetchedAt"].optional?.value(Instant.init(_:)) : nil
        let days = try root["forecasts"].days(datePath: ".date") { day, _ throws(ValidationError) in
            let imageURL = try day.optional(path("imageURL", "image", "url"))?.text()
            return Forecast(
                date: try day["date"].value(CalendarDate.init(_:)), dateLabel: try day["dateLabel"].text(),
                telop: try day["telop"].optional?.text() ?? "",
                lowest: try day.optional(path("lowest", "temperature", "min", "celsius"))?.temperature(),
                highest: try day.optional(path("highest", "temperature", "max", "celsius"))?.temperature(),
                imageURL: imageURL.flatMap { $0.isEmpty ? nil : $0 })
        }
        let weather = Weather(
            id: city, title: title, publishedAt: publishedAt, description: description, forecasts: days.forecasts,
            receipt: fetchedAt.map { FetchReceipt(fetchedAt: $0, version: nil) })
        return DecodedWeather(weather: weather, warnings: days.warnings)
    }
}

extension JSONMember {
    /// Whether `profile-cli` printed the document.
    fileprivate var isSaved: Bool {
        get throws(ValidationError) { try self["publishedAt"].exists }
    }

    /// The error message that a document contains instead of weather, or `nil` if it contains none.
    var errorMessage: String? {
        // In a response of Open-Meteo, `error` is `true`, and `reason` is the message.
        guard let error = try? self["error"].optional else { return nil }
        return (try? self["reason"].text()) ?? (try? error.text()) ?? "an error"
    }
}
