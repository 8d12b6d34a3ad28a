import UserProfileDomain

extension Console {
    /// Writes the reason why a day is missing in the weather of a city to standard error.
    static func warn(_ reason: ValidationError, _ city: CityCode) {
        error("saved the weather of \(city) without a day: \(reason)")
    }
}

/// The JSON output for a city's weather. Missing values are omitted. Temperatures are in degrees Celsius.
struct WeatherOutput: Encodable {
    struct Day: Encodable {
        let date: String
        let dateLabel: String
        let telop: String
        let lowest: Double?
        let highest: Double?
        let imageURL: String?
    }

    let city: String
    let title: String
    let publishedAt: String
    let description: String?
    let forecasts: [Day]
    let fetchedAt: String?
    let ageInSeconds: Int64?
    let isStale: Bool?

    /// Creates the output. If `cached` is not `nil`, the output includes the age of the weather.
    init(_ weather: Weather, cached: CachedWeather? = nil) {
        fetchedAt = (weather.receipt?.fetchedAt).map(\.description)
        ageInSeconds = cached?.age.components.seconds
        isStale = cached?.isStale
        city = weather.id.text
        title = weather.title
        publishedAt = weather.publishedAt.description
        description = weather.description
        forecasts = weather.forecasts.map { day in
            Day(
                date: day.date.description, dateLabel: day.dateLabel, telop: day.telop,
                lowest: day.lowest?.celsius, highest: day.highest?.celsius, imageURL: day.imageURL)
        }
    }
}
