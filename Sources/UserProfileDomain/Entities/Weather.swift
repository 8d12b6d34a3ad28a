/// The weather of a city: one publication of a weather service, with the forecasts for several days.
public struct Weather: Identifiable, Hashable, Sendable {
    /// The code of the city.
    public let id: CityCode

    /// The title of the publication, e.g. `東京都 東京 の天気`.
    public let title: String

    /// The time at which the service published the forecasts.
    public let publishedAt: Instant

    /// The general weather situation in words, or `nil` if the publication has no such text.
    public let description: String?

    /// The daily forecasts, ordered by date.
    public let forecasts: [Forecast]

    /// The receipt of the fetch, or `nil` if the weather was not fetched from a service but, for example, read from a
    /// file.
    public var receipt: FetchReceipt?

    /// Creates the weather of a city.
    ///
    /// - Parameters:
    ///   - id: The code of the city.
    ///   - title: The title of the publication.
    ///   - publishedAt: The time at which the service published the forecasts.
    ///   - description: The general weather situation in words, or `nil` if the publication has no such text.
    ///   - forecasts: The daily forecasts in any order. The initializer sorts them by date.
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
