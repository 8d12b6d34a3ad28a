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
    /// - Throws: `ValidationError` with the path of the invalid member if no day can be read.
    func weather(of city: CityCode, respondedAt: Instant) throws(ValidationError) -> DecodedWeather {
        let known = City.all.first { $0.code == city }
        let today = respondedAt.date(utcOffset: utcOffset)
        var list = DayList()
        for index in daily.time.indices {
            try list.add(datePath: "daily.time[\(index)]") { () throws(ValidationError) in
                let date = try daily.value(daily.time, index, .time) { text throws(ValidationError) in
                    guard let text else {
                        throw ValidationError(.weatherDocument, given: "the day", rule: "the member is null")
                    }
                    return try CalendarDate(text)
                }
                return Forecast(
                    date: date,
                    dateLabel: OpenMeteoDTO.label(of: date, today: today),
                    telop: try daily.value(daily.weatherCode, index, .weatherCode) { code in
                        code.map(WeatherCode.description) ?? ""
                    },
                    lowest: try daily.value(daily.lowest, index, .lowest, OpenMeteoDTO.temperature),
                    highest: try daily.value(daily.highest, index, .highest, OpenMeteoDTO.temperature))
            }
        }
        return try list.decodedWeather(path: "daily.time") { days in
            Weather(
                id: city, title: known.map { "\($0.region) \($0.name) の天気" } ?? "\(city) の天気",
                publishedAt: respondedAt, description: nil, forecasts: days)
        }
    }

    private static func temperature(_ celsius: Double?) throws(ValidationError) -> Temperature? {
        guard let celsius else { return nil }
        return try Temperature(celsius: celsius)
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

/// A value of a day, e.g. its highest temperature, or `nil` if the service does not forecast it.
private struct ValueDTO<Value: Decodable>: Decodable {
    let value: Value?
    /// Whether the value has the right type. A value of another type loses only its day.
    let isReadable: Bool

    init(from decoder: any Decoder) throws {
        do {
            value = try Value?(from: decoder)
            isReadable = true
        } catch is DecodingError {
            value = nil
            isReadable = false
        }
    }
}

/// The member `daily`: the arrays of daily values.
private struct DailyDTO: Decodable {
    enum CodingKeys: String, CodingKey {
        case time
        case weatherCode = "weather_code"
        case highest = "temperature_2m_max"
        case lowest = "temperature_2m_min"
    }

    let time: [ValueDTO<String>]
    let weatherCode: [ValueDTO<Int>]?
    let highest: [ValueDTO<Double>]?
    let lowest: [ValueDTO<Double>]?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let time = try members.decode([ValueDTO<String>].self, forKey: .time)
        func list<Value: Decodable>(_ key: CodingKeys) throws -> [ValueDTO<Value>]? {
            guard let values = try members.decodeIfPresent([ValueDTO<Value>].self, forKey: key) else { return nil }
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

    /// Converts the value of a day. Throws `ValidationError` with its path if it is invalid.
    func value<Value: Decodable, Result>(
        _ values: [ValueDTO<Value>]?, _ index: Int, _ key: CodingKeys,
        _ make: (Value?) throws(ValidationError) -> Result
    ) throws(ValidationError) -> Result {
        try ValidationError.located(at: "daily.\(key.rawValue)[\(index)]") { () throws(ValidationError) in
            guard let values else { return try make(nil) }
            guard values[index].isReadable else {
                throw ValidationError(
                    .weatherDocument, given: "the day", rule: "expected a \(key == .time ? "date" : "number")")
            }
            return try make(values[index].value)
        }
    }
}
