/// The weather of a city: one publication of a weather service, with the forecasts for several days.
///
/// ```swift
/// for day in try await storage.weather.find(city)?.forecasts ?? [] {
///     print(day.date, day.telop, day.highest?.description ?? "–")
/// }
/// ```
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

/// The weather forecast of a city for one day.
///
/// ```swift
/// for day in weather.forecasts {
///     print(day.date, day.telop, day.highest.map { "\($0)" } ?? "–")
/// }
/// ```
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

/// The weather of a city together with its age. ``ForecastUseCase/forecast(_:maxAge:progress:)`` returns it.
///
/// ```swift
/// let cached = try await storage.forecasts.forecast(tokyo, maxAge: .seconds(3600))
/// if let reason = cached.failure { print("\(cached.age) old, because", reason) }
/// ```
public struct CachedWeather: Sendable {
    /// The newest weather that is available for the city.
    public let weather: Weather

    /// The time since the weather was fetched. If the weather was not fetched but, for example, read from a file, the
    /// age is the time since ``Weather/publishedAt``.
    public let age: Duration

    /// The error of a failed fetch of newer weather, or `nil` if the fetch succeeded or was not necessary.
    public let failure: RepositoryError?

    /// The reasons for days that the service sent but that cannot be read. It is empty if the weather was not fetched.
    public let warnings: [ValidationError]

    /// Whether saved weather is returned because a fetch of newer weather failed.
    package var isStale: Bool { failure != nil }

    /// Creates a value from weather and its age at a point in time.
    ///
    /// - Parameters:
    ///   - weather: The weather of a city.
    ///   - now: The current time.
    ///   - failure: The error that prevented a fetch of newer weather, or `nil` if the weather is fresh enough.
    ///   - warnings: The reasons for days that are left out of fetched weather.
    init(_ weather: Weather, at now: Instant, failure: RepositoryError? = nil, warnings: [ValidationError] = []) {
        self.weather = weather
        age = weather.age(at: now)
        self.failure = failure
        self.warnings = warnings
    }
}

extension Weather: Queryable {
    /// The fields by which queries can filter and sort the weather of cities.
    ///
    /// ```swift
    /// let query = Query<Weather>(where: .contains(\.title, "東京"), sort: [.descending(\.publishedAt)])
    /// ```
    public struct Fields: Sendable {
        /// The code of the city.
        public let id = EntityField<Weather, CityCode>("id")
        /// The title of the publication, e.g. `東京都 東京 の天気`.
        public let title = EntityField<Weather, String>("title")
        /// The time at which the service published the forecasts.
        public let publishedAt = EntityField<Weather, Instant>("publishedAt")
        /// The general weather situation in words.
        public let description = EntityField<Weather, String>("description")
        /// The daily forecasts. Use them with ``Filter/any(_:_:)``.
        public let forecasts = EntityParts<Weather, Forecast>("forecasts")
    }

    /// The queryable fields of a city's weather.
    public static let fields = Fields()
}

extension Forecast: Queryable {
    /// The fields of a daily ``Forecast`` by which queries can filter weather.
    ///
    /// ```swift
    /// let frost = try Temperature(celsius: 0)
    /// let freezing = Filter<Weather>.any(\.forecasts, \.lowest < frost)
    /// ```
    public struct Fields: Sendable {
        /// The day to which the forecast applies.
        public let date = EntityField<Forecast, CalendarDate>("date")
        /// The day relative to the publication, in the words of the service, e.g. `明日`.
        public let dateLabel = EntityField<Forecast, String>("dateLabel")
        /// The weather in the words of the service, e.g. `晴時々曇`.
        public let telop = EntityField<Forecast, String>("telop")
        /// The lowest temperature of the day.
        public let lowest = EntityField<Forecast, Temperature>("lowest")
        /// The highest temperature of the day.
        public let highest = EntityField<Forecast, Temperature>("highest")
    }

    /// The queryable fields of a daily forecast.
    public static let fields = Fields()
}
