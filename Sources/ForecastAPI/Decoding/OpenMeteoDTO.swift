import UserProfileDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response of Open-Meteo. It has an array for each kind of daily value, e.g. the highest temperature. Elements with
/// the same index belong to the same day.
struct OpenMeteoDTO: Decodable {
    private enum CodingKeys: String, CodingKey {
        case daily
        case utcOffset = "utc_offset_seconds"
    }

    private let daily: DailyDTO
    private let utcOffset: Int

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        daily = try members.decode(DailyDTO.self, forKey: .daily)
        utcOffset = try members.decodeIfPresent(Int.self, forKey: .utcOffset) ?? 0
    }

    /// Returns the weather of a city. The service reports neither a title nor a time of publication.
    ///
    /// - Parameters:
    ///   - city: The code of the requested city.
    ///   - respondedAt: The time of the response, which is used as the time of publication.
    /// - Returns: The weather.
    /// - Throws: `ValidationError` with the path of the invalid member.
    func weather(of city: CityCode, respondedAt: Instant) throws(ValidationError) -> Weather {
        let known = City.all.first { $0.code == city }
        let today = respondedAt.date(utcOffset: utcOffset)
        var days: [Forecast] = []
        var checks = DayChecks()
        for (index, text) in daily.time.enumerated() {
            let date = try ValidationError.located(at: "daily.time[\(index)]") { () throws(ValidationError) in
                try CalendarDate(text)
            }
            let day = Forecast(
                date: date,
                dateLabel: OpenMeteoDTO.label(of: date, today: today),
                telop: daily.weatherCode?[index].map(WeatherCode.description) ?? "",
                lowest: try temperature(daily.lowest, index, "temperature_2m_min"),
                highest: try temperature(daily.highest, index, "temperature_2m_max"))
            try checks.check(
                day, datePath: "daily.time[\(index)]", lowestPath: "daily.temperature_2m_min[\(index)]")
            days.append(day)
        }
        return Weather(
            id: city, title: known.map { "\($0.region) \($0.name) の天気" } ?? "\(city) の天気", publishedAt: respondedAt,
            description: nil, forecasts: days)
    }

    private func temperature(
        _ values: [Double?]?, _ index: Int, _ name: String
    ) throws(ValidationError) -> Temperature? {
        guard let celsius = values?[index] else { return nil }
        return try ValidationError.located(at: "daily.\(name)[\(index)]") { () throws(ValidationError) in
            try Temperature(celsius: celsius)
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

/// The member `daily`: the arrays of daily values.
private struct DailyDTO: Decodable {
    private enum CodingKeys: String, CodingKey {
        case time
        case weatherCode = "weather_code"
        case highest = "temperature_2m_max"
        case lowest = "temperature_2m_min"
    }

    let time: [String]
    let weatherCode: [Int?]?
    let highest: [Double?]?
    let lowest: [Double?]?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let time = try members.decode([String].self, forKey: .time)
        func list<Value: Decodable>(_ key: CodingKeys) throws -> [Value?]? {
            guard let values = try members.decodeIfPresent([Value?].self, forKey: key) else { return nil }
            guard values.count == time.count else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: members.codingPath + [key],
                        debugDescription: "the array has \(values.count) values for \(time.count) days"))
            }
            return values
        }
        self.time = time
        weatherCode = try list(.weatherCode)
        highest = try list(.highest)
        lowest = try list(.lowest)
    }
}
