/// A source of forecasts, such as a weather service on the web. Implement it to add a service, or to test without one.
///
/// ```swift
/// struct NoSource: ForecastSource {
///     func fetch(
///         _ city: CityCode, unlessStill version: FetchedVersion?,
///         progress: @escaping @Sendable (FetchProgress) -> Void
///     ) async throws -> FetchedWeather {
///         throw RepositoryError(.unavailable, message: "there is no network")
///     }
/// }
/// ```
public protocol ForecastSource: Sendable {
    /// Fetches the weather of a city.
    ///
    /// - Parameters:
    ///   - city: The code of the city.
    ///   - version: The version of the document that the caller already has, or `nil` to fetch the weather in any case.
    ///     The source may return ``FetchedWeather/unchanged`` if this version is current.
    ///   - progress: A closure that receives the progress, on any thread.
    /// - Returns: The weather, or ``FetchedWeather/unchanged`` if `version` is current.
    /// - Throws: ``ValidationError`` if the source cannot form a request for the city. `CancellationError` if the task
    ///   is cancelled. ``RepositoryError`` with one of these codes:
    ///   - ``RepositoryError/Code/notFound`` if the source states explicitly that it does not know the city.
    ///   - ``RepositoryError/Code/lackOfResources`` if the caller sent too many requests.
    ///   - ``RepositoryError/Code/unavailable`` if the source does not respond, or responds with any other error.
    ///   - ``RepositoryError/Code/unexpected`` if the response is invalid.
    func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather
}

/// The response of a ``ForecastSource``.
///
/// ```swift
/// switch try await source.fetch(city, unlessStill: version, progress: { _ in }) {
/// case .new(let weather, _, _): show(weather)
/// case .unchanged: break
/// }
/// ```
public enum FetchedWeather: Hashable, Sendable {
    /// The current weather and the version of its document. The version is `nil` if the source does not report one.
    /// The warnings are the reasons for days that are left out because they cannot be read.
    case new(Weather, FetchedVersion?, warnings: [ValidationError] = [])
    /// The version that the caller passed is current, so the source did not send the weather again.
    case unchanged
}

/// The progress of a fetch from a weather service.
///
/// ```swift
/// try await storage.forecasts.refresh(city) { print("\($0.receivedByteCount) bytes") }
/// ```
public struct FetchProgress: Hashable, Sendable {
    /// The number of bytes received so far.
    public let receivedByteCount: Int

    /// The total number of bytes, or `nil` if the service does not report it.
    public let expectedByteCount: Int?

    /// Creates a progress value.
    ///
    /// - Parameters:
    ///   - receivedByteCount: The number of bytes received so far.
    ///   - expectedByteCount: The total number of bytes, or `nil` if the service does not report it.
    public init(receivedByteCount: Int, expectedByteCount: Int? = nil) {
        self.receivedByteCount = receivedByteCount
        self.expectedByteCount = expectedByteCount
    }
}

/// The weather in a document, and the reasons why it is incomplete.
package struct DecodedWeather: Hashable, Sendable {
    /// The weather with the days that can be read.
    package let weather: Weather

    /// The reason for each day of the document that is left out. ``ValidationError/path`` names the invalid member.
    package let warnings: [ValidationError]

    /// Creates a value from weather and warnings.
    package init(weather: Weather, warnings: [ValidationError] = []) {
        self.weather = weather
        self.warnings = warnings
    }
}
