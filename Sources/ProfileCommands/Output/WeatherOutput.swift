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

/// A city's weather as text for a person: a title, a table of days with a chart of temperatures, and the description.
struct WeatherPage {
    let weather: Weather

    /// The width of the chart in columns.
    private static let chartWidth = 24

    /// Returns the lines for a terminal.
    func lines() -> [String] {
        var table = Table(rightAligned: [3, 4])
        for day in weather.forecasts {
            table.add(
                [
                    day.date.description, day.dateLabel, day.telop, text(day.lowest), text(day.highest),
                    bar(of: day),
                ])
        }
        var lines = [
            "\(Console.printable(weather.title)) (\(weather.id))", "published \(weather.publishedAt)", "",
        ]
        lines += table.lines(aligned: true)
        if let scale { lines += ["", "chart: \(scale.low) to \(scale.high)"] }
        if let description = weather.description, !description.isEmpty {
            lines += [""] + description.split(separator: "\n").map { Console.printable(String($0)) }
        }
        return lines
    }

    /// Returns tab-separated lines for other programs, one for each day. A missing temperature is an empty field.
    func plainLines() -> [String] {
        var table = Table()
        for day in weather.forecasts {
            table.add(
                [
                    day.date.description, day.dateLabel, day.telop, plain(day.lowest), plain(day.highest),
                    day.imageURL ?? "",
                ])
        }
        return table.lines(aligned: false)
    }

    private func text(_ temperature: Temperature?) -> String { temperature?.description ?? "–" }

    private func plain(_ temperature: Temperature?) -> String {
        temperature.map { String($0.description.dropLast(" °C".count)) } ?? ""
    }

    /// The lowest and the highest temperature of all days, or `nil` if they are equal or no temperature is known.
    private var scale: (low: Temperature, high: Temperature)? {
        let all = weather.forecasts.flatMap { [$0.lowest, $0.highest].compactMap(\.self) }
        guard let low = all.min(), let high = all.max(), low < high else { return nil }
        return (low, high)
    }

    /// Returns a bar from the lowest to the highest temperature of a day, or a single mark if only one of them is
    /// known.
    private func bar(of day: Forecast) -> String {
        guard let scale else { return "" }
        let known = [day.lowest, day.highest].compactMap(\.self).map { temperature in
            Int(
                ((temperature.celsius - scale.low.celsius) / (scale.high.celsius - scale.low.celsius)
                    * Double(Self.chartWidth - 1)).rounded())
        }
        guard let first = known.min(), let last = known.max() else { return "" }
        let mark = known.count == 1 ? "◆" : "█"
        return String(repeating: " ", count: first) + String(repeating: mark, count: last - first + 1)
    }
}
