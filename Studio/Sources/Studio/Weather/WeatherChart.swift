import UserProfileKit

/// The temperatures of several days as a drawing: one bar a day from the lowest to the highest temperature.
struct WeatherChart: Sendable {
    /// A bar, in the units of the drawing.
    struct Bar: Sendable {
        let x: Int
        let center: Int
        let y: Int
        let height: Int
        let label: String
        let highest: String
        let highestY: Int
        let lowest: String
        let lowestY: Int
    }

    private static let dayWidth = 90
    private static let plotHeight = 120

    let bars: [Bar]
    let width: Int
    let height = WeatherChart.plotHeight + 70
    let labelY = WeatherChart.plotHeight + 62
    /// The drawing in words.
    let summary: String

    /// Creates a drawing, or `nil` if no day has a temperature.
    init?(_ forecasts: [Forecast]) {
        let days = forecasts.filter { $0.lowest != nil || $0.highest != nil }
        let all = days.flatMap { [$0.lowest, $0.highest] }.compactMap { $0?.celsius }
        guard let least = all.min(), let greatest = all.max() else { return nil }
        let scale = Double(WeatherChart.plotHeight) / max(greatest - least, 1)
        func position(_ temperature: Temperature) -> Int {
            25 + Int(((greatest - temperature.celsius) * scale).rounded())
        }
        var bars: [Bar] = []
        var words: [String] = []
        for (index, day) in days.enumerated() {
            // The lowest temperature is of the night and the highest one of the day, so either can be the greater one.
            var (highest, lowest) = (day.highest, day.lowest)
            if let high = highest, let low = lowest, low > high { (highest, lowest) = (low, high) }
            guard let top = highest ?? lowest, let bottom = lowest ?? highest else { continue }
            let (x, y) = (index * WeatherChart.dayWidth, position(top))
            let height = max(position(bottom) - y, 3)
            bars.append(
                Bar(
                    x: x + 35, center: x + 45, y: y, height: height, label: String(day.date.text.suffix(5)),
                    highest: highest.map { "\($0)" } ?? "", highestY: y - 8,
                    lowest: lowest.map { "\($0)" } ?? "", lowestY: y + height + 18))
            let range = [day.lowest, day.highest].compactMap { $0?.description }.joined(separator: " to ")
            words.append("\(day.date.text): \(range)")
        }
        self.bars = bars
        width = bars.count * WeatherChart.dayWidth
        summary = words.joined(separator: "; ")
    }
}
