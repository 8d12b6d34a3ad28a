/// The weather forecast of a city for one day.
public struct Forecast: Hashable, Sendable {
    /// The day to which the forecast applies.
    public let date: CalendarDate

    /// The day relative to the publication, in the words of the service: `今日`, `明日` or `明後日`.
    public let dateLabel: String

    /// The weather in the words of the service, e.g. `晴時々曇`. It is empty if the service does not forecast it yet.
    public let telop: String

    /// The lowest temperature of the day, or `nil` if the service does not forecast it.
    public let lowest: Temperature?

    /// The highest temperature of the day, or `nil` if the service does not forecast it.
    public let highest: Temperature?

    /// The URL of a picture of the weather exactly as the service sent it, or `nil` if the service sent none.
    public let imageURL: String?

    /// Creates a forecast for one day.
    ///
    /// - Parameters:
    ///   - date: The day to which the forecast applies.
    ///   - dateLabel: The day relative to the publication, in the words of the service.
    ///   - telop: The weather in the words of the service.
    ///   - lowest: The lowest temperature of the day, or `nil` if it is unknown.
    ///   - highest: The highest temperature of the day, or `nil` if it is unknown.
    ///   - imageURL: The URL of a picture of the weather, or `nil` if there is no picture.
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
