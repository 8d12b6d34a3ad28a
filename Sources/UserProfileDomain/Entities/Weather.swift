/// The weather of a city: one publication with the forecasts of several days.
public struct Weather: Identifiable, Hashable, Sendable {
    /// The city.
    public let id: CityCode

    /// The title, e.g. `東京都 東京 の天気`.
    public let title: String

    /// The time of publication.
    public let publishedAt: Instant

    /// The general weather situation in words, or `nil`.
    public let description: String?

    /// The forecasts, ordered by date.
    public let forecasts: [Forecast]

    /// The receipt of the fetch, or `nil` if the weather was not fetched from a service, e.g. if it was read from a
    /// file.
    public var receipt: FetchReceipt?

    /// Creates the weather of a city.
    ///
    /// - Parameters:
    ///   - id: The city.
    ///   - title: The title.
    ///   - publishedAt: The time of publication.
    ///   - description: The general weather situation in words, or `nil`.
    ///   - forecasts: The forecasts in any order; the initializer sorts them by date.
    ///   - receipt: The receipt of the fetch, or `nil` if the weather was not fetched.
    public init(
        id: CityCode, title: String, publishedAt: Instant, description: String?, forecasts: [Forecast],
        receipt: FetchReceipt? = nil
    ) {
        self.id = id
        self.title = title
        self.publishedAt = publishedAt
        self.description = description
        self.forecasts = forecasts.sorted { $0.date < $1.date }
        self.receipt = receipt
    }
}
