extension Console {
    /// Writes the reason why a day is missing in the weather of a city to standard error.
    static func warn(_ reason: ValidationError, _ city: CityCode) {
        warn("saved the weather of \(city) without a day: \(reason)")
    }
}

extension Weather {
    /// The cells of the weather's row in a list: the city code, the time of publication, the number of forecast days,
    /// and the title.
    var cells: [String] { [id.text, "\(publishedAt)", "\(forecasts.count)", title] }

    /// Returns the members of the JSON output. Temperatures are in degrees Celsius. If `cached` is not `nil`, the
    /// members include the age of the weather.
    func json(_ cached: CachedWeather? = nil) -> JSONObject {
        let days: [JSONObject] = forecasts.map { day in
            [
                "date": day.date.description, "dateLabel": day.dateLabel, "telop": day.telop,
                "lowest": day.lowest?.json, "highest": day.highest?.json, "imageURL": day.imageURL,
            ]
        }
        return [
            "city": id.text, "title": title, "publishedAt": publishedAt.description,
            "description": description, "forecasts": days, "fetchedAt": receipt?.fetchedAt.description,
            "ageInSeconds": cached?.age.components.seconds, "isStale": cached?.isStale,
        ]
    }

    // MARK: Text for a person: a title, a table of days with a chart of temperatures, and the description

    /// Returns the lines for a terminal.
    func page() -> [String] {
        let header = ["date", "day", "weather", "lowest", "highest", scale == nil ? "" : "chart"]
        var table = Table(header: header, rightAligned: [3, 4])
        let rows = forecasts.map { day in
            let (lowest, highest) = (day.lowest?.description ?? "–", day.highest?.description ?? "–")
            return [day.date.description, day.dateLabel, day.telop, lowest, highest, bar(of: day)]
        }
        var lines = ["\(title.printable) (\(id))", "published \(publishedAt)", ""]
        lines += table.lines(rows, aligned: true)
        if let scale { lines += ["", "chart: \(scale.low) to \(scale.high)"] }
        if let description, !description.isEmpty {
            lines += [""] + description.split(separator: "\n").map { String($0).printable }
        }
        return lines
    }

    /// Returns tab-separated lines for other programs, one for each day. A missing temperature is an empty field.
    func plainLines() -> [String] {
        Table.plainLines(
            forecasts.map { day in
                let temperatures = [day.lowest, day.highest].map { $0?.description.dropLast(" °C".count) ?? "" }
                return [day.date.description, day.dateLabel, day.telop] + temperatures.map(String.init)
                    + [day.imageURL ?? ""]
            })
    }

    /// The lowest and the highest temperature of all days, or `nil` if they are equal or no temperature is known.
    private var scale: (low: Temperature, high: Temperature)? {
        let all = forecasts.flatMap { [$0.lowest, $0.highest].compactMap(\.self) }
        guard let low = all.min(), let high = all.max(), low < high else { return nil }
        return (low, high)
    }

    /// Returns a bar from the lowest to the highest temperature of a day, or a single mark if only one of them is
    /// known.
    private func bar(of day: Forecast) -> String {
        guard let scale else { return "" }
        let width = 24.0
        let known = [day.lowest, day.highest].compactMap(\.self).map { temperature in
            let range = scale.high.celsius - scale.low.celsius
            return Int(((temperature.celsius - scale.low.celsius) / range * (width - 1)).rounded())
        }
        guard let first = known.min(), let last = known.max() else { return "" }
        let mark = known.count == 1 ? "◆" : "█"
        return String(repeating: " ", count: first) + String(repeating: mark, count: last - first + 1)
    }
}

extension Temperature {
    /// The degrees Celsius. A whole number has no fraction.
    fileprivate var json: Value { Int64(exactly: celsius).map(Value.integer) ?? .real(celsius) }
}
