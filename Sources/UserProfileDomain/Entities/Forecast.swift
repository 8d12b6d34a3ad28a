/// What is forecast for one day.
public struct Forecast: Hashable, Sendable {
    /// The day.
    public let date: CalendarDate

    /// What the day is called, e.g. `今日`, `明日`, `明後日`.
    public let dateLabel: String

    /// The weather in words, e.g. `晴時々曇`.
    public let telop: String

    /// The lowest temperature, or none.
    public let lowest: Temperature?

    /// The highest temperature, or none.
    public let highest: Temperature?

    /// Where a picture of the weather is, as the service wrote it, or none.
    public let imageURL: String?

    /// Describes what is forecast for one day.
    ///
    /// - Parameters:
    ///   - date: the day.
    ///   - dateLabel: what the day is called.
    ///   - telop: the weather in words.
    ///   - lowest: the lowest temperature, or none.
    ///   - highest: the highest temperature, or none.
    ///   - imageURL: where a picture of the weather is, or none.
    public init(
        date: CalendarDate, dateLabel: String, telop: String, lowest: Temperature? = nil,
        highest: Temperature? = nil, imageURL: String? = nil
    ) {
        self.date = date
        self.dateLabel = dateLabel
        self.telop = telop
        self.lowest = lowest
        self.highest = highest
        self.imageURL = imageURL
    }
}
