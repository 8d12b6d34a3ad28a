package import UserProfileDomain

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
            try root.isSaved ? Self.savedWeather(in: root, of: city) : Self.weather(in: root, of: city)
        }
    }

    /// Returns the city that a document names. Only documents that were printed by `profile-cli` name one.
    ///
    /// - Parameter document: The document.
    /// - Returns: The code of the city, or `nil` if the document does not name a city.
    /// - Throws: `ValidationError` if the document is not weather.
    package static func city(ofLivedoor document: [UInt8]) throws(ValidationError) -> CityCode? {
        try read(document) { root throws(ValidationError) in
            if try root.isSaved { return try savedCity(in: root) }
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
            throw ValidationError(
                .weatherDocument, given: root.given, rule: "the service answered \(message.excerpt(200).quoted)",
                path: "error")
        }
    }

    // MARK: Documents of the services

    private static func weather(in root: JSONMember, of city: CityCode) throws(ValidationError) -> DecodedWeather {
        let title = try root["title"].text()
        let publishedAt = try root["publicTime"].value { text throws(ValidationError) in try Instant(text) }
        let description = try root["description"].optional?["text"].optional?.text()
        return try DecodedWeather(days: root["forecasts"], datePath: ".date") { day, _ throws(ValidationError) in
            let temperature = try day["temperature"].optional
            let imageURL = try day["image"].optional?["url"].optional?.text()
            return try forecast(
                day, lowest: temperature?["min"].optional?["celsius"],
                highest: temperature?["max"].optional?["celsius"],
                imageURL: imageURL.flatMap { $0.isEmpty ? nil : $0 })
        } _: { days in
            Weather(id: city, title: title, publishedAt: publishedAt, description: description, forecasts: days)
        }
    }

    private static func forecast(
        _ day: JSONMember, lowest: JSONMember?, highest: JSONMember?, imageURL: String?
    ) throws(ValidationError) -> Forecast {
        Forecast(
            date: try day["date"].value { text throws(ValidationError) in try CalendarDate(text) },
            dateLabel: try day["dateLabel"].text(), telop: try day["telop"].optional?.text() ?? "",
            lowest: try lowest?.temperature(), highest: try highest?.temperature(), imageURL: imageURL)
    }

    // MARK: Documents that `profile-cli forecast show --format json` printed

    private static func savedWeather(in root: JSONMember, of city: CityCode) throws(ValidationError) -> DecodedWeather {
        var root = root
        root.isLenient = false
        guard try savedCity(in: root) == city else {
            throw ValidationError(
                .weatherDocument, given: try root["city"].text(),
                rule: "the document is for another city, not \(city)", path: "city")
        }
        func instant(_ member: JSONMember) throws(ValidationError) -> Instant {
            try member.value { text throws(ValidationError) in try Instant(text) }
        }
        let (title, publishedAt) = (try root["title"].text(), try instant(root["publishedAt"]))
        let description = try root["description"].optional?.text()
        let fetchedAt = try root["fetchedAt"].optional.map(instant)
        return try DecodedWeather(days: root["forecasts"], datePath: ".date") { day, _ throws(ValidationError) in
            try forecast(
                day, lowest: day["lowest"], highest: day["highest"], imageURL: day["imageURL"].optional?.text())
        } _: { days in
            Weather(
                id: city, title: title, publishedAt: publishedAt, description: description, forecasts: days,
                receipt: fetchedAt.map { FetchReceipt(fetchedAt: $0, version: nil) })
        }
    }

    private static func savedCity(in root: JSONMember) throws(ValidationError) -> CityCode {
        try root["city"].value { text throws(ValidationError) in try CityCode(text) }
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
