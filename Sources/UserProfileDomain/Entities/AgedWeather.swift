/// A city's weather with its age.
public struct AgedWeather: Sendable {
    /// The weather.
    public let weather: Weather

    /// How long ago it was fetched; of weather that was not fetched: published.
    public let age: Duration

    /// Why there is none that is newer, or nil where it is new enough.
    public let failure: RepositoryError?

    /// Whether it is older than was asked for, because there was none that is newer.
    package var isStale: Bool { failure != nil }

    /// Describes weather with its age.
    ///
    /// - Parameters:
    ///   - weather: the weather.
    ///   - age: how long ago it was fetched or published.
    ///   - failure: why there is none that is newer, or nil where it is new enough.
    package init(weather: Weather, age: Duration, failure: RepositoryError? = nil) {
        self.weather = weather
        self.age = age
        self.failure = failure
    }
}
