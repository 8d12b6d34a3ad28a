import UserProfileDomain

/// A decoder for the JSON of Open-Meteo. It has an array for each kind of daily value, e.g. the highest temperature.
/// Elements with the same index belong to the same day.
enum OpenMeteoDecoder {
    /// Returns the weather of a city. The service reports neither a title nor a time of publication.
    ///
    /// - Parameters:
    ///   - document: The response of the service.
    ///   - city: The code of the requested city.
    ///   - respondedAt: The time of the response, which is used as the time of publication.
    /// - Returns: The weather.
    /// - Throws: `ValidationError` with the path of the invalid member if no day can be read.
    static func decode(
        _ document: [UInt8], for city: CityCode, respondedAt: Instant
    ) throws(ValidationError) -> DecodedWeather {
        let root = try JSONMember(parsing: document, isLenient: false)
        let daily = try root["daily"]
        let dayCount = try daily["time"].elements().count
        func values(_ name: String) throws(ValidationError) -> [JSONMember]? {
            guard let values = try daily[name].optional?.elements() else { return nil }
            guard values.count == dayCount else {
                throw try daily[name].error("the array has \(values.count) values for \(dayCount) days")
            }
            return values
        }
        let (codes, lowest, highest) = (
            try values("weather_code"), try values("temperature_2m_min"), try values("temperature_2m_max")
        )
        let utcOffset = try root["utc_offset_seconds"].optional?.integer() ?? 0
        let today = respondedAt.date(utcOffset: utcOffset)
        return try DecodedWeather(days: daily["time"]) { day, index throws(ValidationError) in
            let date = try day.value { text throws(ValidationError) in try CalendarDate(text) }
            return Forecast(
                date: date, dateLabel: label(of: date, today: today),
                telop: try codes?[index].optional.map { code throws(ValidationError) in
                    WeatherCode.description(for: try code.integer())
                } ?? "",
                lowest: try lowest?[index].temperature(), highest: try highest?[index].temperature())
        } _: { days in
            let known = City.all.first { $0.code == city }
            return Weather(
                id: city, title: known.map { "\($0.region) \($0.name) の天気" } ?? "\(city) の天気",
                publishedAt: respondedAt, description: nil, forecasts: days)
        }
    }

    /// Returns the day in the words of the livedoor service: today, tomorrow or the day after tomorrow. Returns the
    /// date for any other day, or if `today` is `nil`.
    private static func label(of date: CalendarDate, today: CalendarDate?) -> String {
        guard let today else { return date.description }
        return switch date.dayCount(since: today) {
        case 0: "今日"
        case 1: "明日"
        case 2: "明後日"
        default: date.description
        }
    }
}

extension JSONMember {
    fileprivate func integer() throws(ValidationError) -> Int {
        guard let number = Int(try digits()) else { throw error("expected an integer") }
        return number
    }
}
