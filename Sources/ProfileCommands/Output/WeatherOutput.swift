import UserProfileDomain

/// A city's weather as JSON; what there is none of is left out. Temperatures are in degrees Celsius.
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

    /// The weather, with its age where it was asked for.
    init(_ weather: Weather, aged: AgedWeather? = nil) {
        fetchedAt = (weather.receipt?.fetchedAt).map(\.description)
        ageInSeconds = aged?.age.components.seconds
        isStale = aged?.isStale
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
