/// A city's weather and its age: the result of a request for weather of a maximum age.
public struct CachedWeather: Sendable {
    /// The weather.
    public let weather: Weather

    /// The time since the weather was fetched, or since it was published if it was not fetched.
    public let age: Duration

    /// The error that prevented a newer fetch, or `nil` if the weather is fresh enough.
    public let failure: RepositoryError?

    /// Whether the weather is older than the requested age because fetching a newer one failed.
    package var isStale: Bool { failure != nil }

    /// Creates weather with its age.
    ///
    /// - Parameters:
    ///   - weather: The weather.
    ///   - age: The time since it was fetched or published.
    ///   - failure: The error that prevented a newer fetch, or `nil` if the weather is fresh enough.
    package init(weather: Weather, age: Duration, failure: RepositoryError? = nil) {
        self.weather = weather
        self.age = age
        self.failure = failure
    }
}
