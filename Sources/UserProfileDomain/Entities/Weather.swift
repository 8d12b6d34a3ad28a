/// What is forecast for a city: one publication with its days.
public struct Weather: Identifiable, Hashable, Sendable {
    /// The city.
    public let id: CityCode

    /// The title, e.g. `東京都 東京 の天気`.
    public let title: String

    /// When it was published.
    public let publishedAt: Instant

    /// The general situation in words, or none.
    public let description: String?

    /// The days, in the order of their dates.
    public let forecasts: [Forecast]

    /// When it was fetched from a service, or none where it came otherwise, e.g. from a file.
    public var receipt: FetchReceipt?

    /// Describes what is forecast for a city.
    ///
    /// - Parameters:
    ///   - id: the city.
    ///   - title: the title.
    ///   - publishedAt: when it was published.
    ///   - description: the general situation in words, or none.
    ///   - forecasts: the days in any order; they are put in the order of their dates.
    ///   - receipt: when it was fetched from a service, or none.
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
