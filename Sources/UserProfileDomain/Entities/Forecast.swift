/// The forecast for one day.
public struct Forecast: Hashable, Sendable {
    /// The day.
    public let date: CalendarDate

    /// The name of the day relative to the publication, e.g. `今日`, `明日`, `明後日`.
    public let dateLabel: String

    /// The weather in words, e.g. `晴時々曇`.
    public let telop: String

    /// The lowest temperature, or `nil` if the forecast has none.
    public let lowest: Temperature?

    /// The highest temperature, or `nil` if the forecast has none.
    public let highest: Temperature?

    /// The address of a picture of the weather, exactly as the service sent it, or `nil`.
    public let imageURL: String?

    /// Creates a forecast for one day.
    ///
    /// - Parameters:
    ///   - date: The day.
    ///   - dateLabel: The name of the day relative to the publication.
    ///   - telop: The weather in words.
    ///   - lowest: The lowest temperature, or `nil` if the forecast has none.
    ///   - highest: The highest temperature, or `nil` if the forecast has none.
    ///   - imageURL: The address of a picture of the weather, or `nil`.
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
