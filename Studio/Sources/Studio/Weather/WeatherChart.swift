import UserProfileKit

/// The temperatures of several days as a drawing: one bar a day from the lowest to the highest temperature, on an axis.
///
/// Horizontal positions are percentages of the width of the page, vertical ones are pixels.
struct WeatherChart: Sendable {
    /// A day. A day without temperatures has a label and no bar.
    struct Day: Sendable {
        /// The position of the middle of the day in percent.
        let center: Double
        let label: String
        let weather: String
        let bar: Bar?
        let isMissing: Bool
    }

    /// The bar of a day.
    struct Bar: Sendable {
        let y: Int
        let height: Int
        let highest: String
        let highestY: Int
        let lowest: String
        let lowestY: Int
    }

    /// A mark of the axis.
    struct Tick: Sendable {
        let y: Int
        let labelY: Int
        let label: String
        let isZero: Bool
    }

    static let plotTop = 26
    static let plotHeight = 160

    /// A longer gap than this between two forecasts is not drawn.
    private static let maximumDayCount = 14

    let days: [Day]
    let ticks: [Tick]
    let middle = WeatherChart.plotTop + WeatherChart.plotHeight / 2
    let labelY = WeatherChart.plotTop + WeatherChart.plotHeight + 40
    let weatherY = WeatherChart.plotTop + WeatherChart.plotHeight + 58
    let height = WeatherChart.plotTop + WeatherChart.plotHeight + 68
    /// The drawing in words.
    let summary: String

    /// Creates a drawing, or `nil` if no day has a temperature.
    init?(_ forecasts: [Forecast]) {
        let all = forecasts.flatMap { [$0.lowest, $0.highest] }.compactMap { $0?.celsius }
        guard let least = all.min(), let greatest = all.max() else { return nil }
        let axis = Axis(least, greatest)
        let dates = WeatherChart.dates(of: forecasts)
        var days: [Day] = []
        var words: [String] = []
        for (index, date) in dates.enumerated() {
            let forecast = forecasts.first { $0.date == date }
            let bar = forecast.flatMap { Bar($0, axis) }
            days.append(
                Day(
                    center: (Double(index) + 0.5) * 100 / Double(dates.count), label: String(date.text.suffix(5)),
                    weather: forecast?.telop ?? "", bar: bar, isMissing: bar == nil))
            let range = [forecast?.lowest, forecast?.highest].compactMap { $0?.description }.joined(separator: " to ")
            words.append("\(date.text): \(range.isEmpty ? "no temperatures" : range)")
        }
        self.days = days
        ticks = axis.ticks
        summary = words.joined(separator: "; ")
    }

    /// Returns the dates from the first to the last forecast, including those without one.
    private static func dates(of forecasts: [Forecast]) -> [CalendarDate] {
        let known = forecasts.map(\.date).sorted()
        guard let first = known.first, let last = known.last, let start = try? Instant("\(first.text)T00:00:00Z")
        else { return known }
        let dates = (0..<maximumDayCount).compactMap { day in
            Instant(seconds: start.seconds + Int64(day) * 86_400).date()
        }
        guard let end = dates.firstIndex(of: last) else { return known }
        return Array(dates[...end])
    }
}

extension WeatherChart.Bar {
    fileprivate init?(_ forecast: Forecast, _ axis: WeatherChart.Axis) {
        // The lowest temperature is of the night and the highest one of the day, so either can be the greater one.
        var (highest, lowest) = (forecast.highest, forecast.lowest)
        if let high = highest, let low = lowest, low > high { (highest, lowest) = (low, high) }
        guard let top = highest ?? lowest, let bottom = lowest ?? highest else { return nil }
        y = axis.position(top.celsius)
        height = max(axis.position(bottom.celsius) - y, 3)
        self.highest = highest.map { "\($0)" } ?? ""
        self.lowest = lowest.map { "\($0)" } ?? ""
        (highestY, lowestY) = (y - 7, y + height + 16)
    }
}

extension WeatherChart {
    /// The axis of temperatures, between two round numbers.
    fileprivate struct Axis {
        private let bottom: Int
        private let top: Int
        private let step: Int

        init(_ least: Double, _ greatest: Double) {
            // Three to six marks.
            let step = [1, 2, 5, 10, 20].first { (greatest - least) / Double($0) <= 4 } ?? 50
            self.step = step
            bottom = Int((least / Double(step)).rounded(.down)) * step
            top = max(Int((greatest / Double(step)).rounded(.up)) * step, bottom + step)
        }

        func position(_ celsius: Double) -> Int {
            plotTop + Int(((Double(top) - celsius) * Double(plotHeight) / Double(top - bottom)).rounded())
        }

        var ticks: [Tick] {
            stride(from: bottom, through: top, by: step).map { degrees in
                let y = position(Double(degrees))
                return Tick(y: y, labelY: y + 4, label: "\(degrees) °C", isZero: degrees == 0)
            }
        }
    }
}
