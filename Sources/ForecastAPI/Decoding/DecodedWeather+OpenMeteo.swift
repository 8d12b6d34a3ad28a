// The JSON of Open-Meteo has an array for each kind of daily value, e.g. the highest temperature. Elements with the
// same index belong to the same day.
extension DecodedWeather {
    /// Decodes the weather of a city. The service reports neither a title nor a time of publication.
    ///
    /// - Parameters:
    ///   - document: The response of the service.
    ///   - city: The code of the requested city.
    ///   - respondedAt: The time of the response, which is used as the time of publication.
    /// - Throws: `ValidationError` with the path of the invalid member if no day can be read.
    init(openMeteo document: [UInt8], for city: CityCode, respondedAt: Instant) throws(ValidationError) {
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
        let days = try daily["time"].days { day, index throws(ValidationError) in
            let date = try day.value(CalendarDate.init(_:))
            return Forecast(
                date: date, dateLabel: Self.label(of: date, today: today),
                telop: try codes?[index].optional.map { code throws(ValidationError) in
                    Self.description(ofWeather: try code.integer())
                } ?? "",
                lowest: try lowest?[index].temperature(), highest: try highest?[index].temperature())
        }
        let known = city.city
        let weather = Weather(
            id: city, title: known.map { "\($0.region) \($0.name) の天気" } ?? "\(city) の天気",
            publishedAt: respondedAt, description: nil, forecasts: days.forecasts)
        self.init(weather: weather, warnings: days.warnings)
    }

    /// Returns the day in the words of the livedoor service: today, tomorrow or the day after tomorrow. Returns the
    /// date for any other day, or if `today` is `nil`.
    private static func label(of date: CalendarDate, today: CalendarDate?) -> String {
        switch today.map(date.dayCount(since:)) {
        case 0: "今日"
        case 1: "明日"
        case 2: "明後日"
        default: date.description
        }
    }

    /// Returns the Japanese description of a weather code, which is a part of WMO code table 4677. If the table does
    /// not contain the code, the description contains its number.
    private static func description(ofWeather code: Int) -> String { descriptions[code] ?? "天気コード\(code)" }

    private static let descriptions: [Int: String] = [
        0: "快晴", 1: "晴れ", 2: "一部曇り", 3: "曇り", 45: "霧", 48: "着氷性の霧", 51: "弱い霧雨", 53: "霧雨", 55: "強い霧雨",
        56: "着氷性の弱い霧雨", 57: "着氷性の強い霧雨", 61: "弱い雨", 63: "雨", 65: "強い雨", 66: "着氷性の弱い雨", 67: "着氷性の強い雨",
        71: "弱い雪", 73: "雪", 75: "強い雪", 77: "霧雪", 80: "弱いにわか雨", 81: "にわか雨", 82: "激しいにわか雨",
        85: "弱いにわか雪", 86: "強いにわか雪", 95: "雷雨", 96: "弱いひょうを伴う雷雨", 99: "強いひょうを伴う雷雨",
    ]
}
