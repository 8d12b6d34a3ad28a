/// The weather of a city together with its age. ``ForecastUseCase/forecast(_:maxAge:progress:)`` returns it.
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

    /// Creates a value from weather and its age.
    ///
    /// - Parameters:
    ///   - weather: The weather of a city.
    ///   - age: The time since the weather was fetched, or since its publication if it was not fetched.
    ///   - failure: The error that prevented a fetch of newer weather, or `nil` if the weather is fresh enough.
    ///   - warnings: The reasons for days that are left out of fetched weather.
    package init(
        weather: Weather, age: Duration, failure: RepositoryError? = nil, warnings: [ValidationError] = []
    ) {
        self.weather = weather
        self.age = age
        self.failure = failure
        self.warnings = warnings
    }
}
