import UserProfileDomain

/// A weather document in the form of `profile-cli forecast show --format json`.
struct SavedWeatherDTO: Decodable {
    private enum CodingKeys: String, CodingKey {
        case city, title, publishedAt, description, forecasts, fetchedAt
    }

    /// The forecast for one day.
    private struct Day: DayDTO {
        let date: String
        let dateLabel: String
        let telop: String?
        let lowest: Double?
        let highest: Double?
        let imageURL: String?

        func forecast(at path: String) throws(ValidationError) -> Forecast {
            Forecast(
                date: try ValidationError.located(at: "\(path).date") { () throws(ValidationError) in
                    try CalendarDate(date)
                },
                dateLabel: dateLabel, telop: telop ?? "", lowest: try Day.temperature(lowest, at: "\(path).lowest"),
                highest: try Day.temperature(highest, at: "\(path).highest"), imageURL: imageURL)
        }

        private static func temperature(
            _ celsius: Double?, at path: String
        ) throws(ValidationError) -> Temperature? {
            guard let celsius else { return nil }
            return try ValidationError.located(at: path) { () throws(ValidationError) in
                try Temperature(celsius: celsius)
            }
        }
    }

    private let city: String
    private let title: String
    private let publishedAt: String
    private let description: String?
    private let forecasts: DaysDTO<Day>
    private let fetchedAt: String?

    /// Returns the weather in the document. Throws `ValidationError` if the document is invalid or contains the weather
    /// of another city.
    func weather(of city: CityCode) throws(ValidationError) -> DecodedWeather {
        guard try self.code() == city else {
            throw ValidationError(
                .weatherDocument, given: self.city, rule: "the document is for another city, not \(city)", path: "city")
        }
        return try forecasts.list.decodedWeather(path: "forecasts") { days throws(ValidationError) in
            Weather(
                id: city, title: title, publishedAt: try instant(publishedAt, at: "publishedAt"),
                description: description, forecasts: days,
                receipt: try fetchedAt.map { text throws(ValidationError) in
                    FetchReceipt(fetchedAt: try instant(text, at: "fetchedAt"), version: nil)
                })
        }
    }

    /// Returns the code of the city that the document names. Throws `ValidationError` if the code is invalid.
    func code() throws(ValidationError) -> CityCode {
        try ValidationError.located(at: "city") { () throws(ValidationError) in try CityCode(city) }
    }

    private func instant(_ text: String, at path: String) throws(ValidationError) -> Instant {
        try ValidationError.located(at: path) { () throws(ValidationError) in try Instant(text) }
    }
}
