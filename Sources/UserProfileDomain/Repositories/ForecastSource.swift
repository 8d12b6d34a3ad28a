/// A source of forecasts, such as a weather service on the web. Conform to it to add another service.
public protocol ForecastSource: Sendable {
    /// Fetches the weather of a city.
    ///
    /// - Parameters:
    ///   - city: The city.
    ///   - version: The version that the caller has, or `nil`. The source need not send this version again.
    ///   - progress: Receives the progress, on any thread.
    /// - Returns: The weather, or ``FetchedWeather/unchanged`` if the version of the caller is current.
    /// - Throws: ``RepositoryError``: ``RepositoryError/Code/notFound`` if the source does not know the city,
    ///   ``RepositoryError/Code/lackOfResources`` if it received too many requests,
    ///   ``RepositoryError/Code/unavailable`` if it does not respond, ``RepositoryError/Code/unexpected`` if the
    ///   response is invalid. Also ``ValidationError`` if the source cannot form a request for the city, and
    ///   `CancellationError`.
    func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather
}

/// The response of a ``ForecastSource``.
public enum FetchedWeather: Hashable, Sendable {
    /// The weather, and its version if the source reports one.
    case new(Weather, FetchedVersion?)
    /// The document has not changed since the version that the caller passed.
    case unchanged
}

/// The progress of a fetch.
public struct FetchProgress: Hashable, Sendable {
    /// The number of received bytes.
    public let receivedByteCount: Int

    /// The total number of bytes, or `nil` if the service does not report it.
    public let expectedByteCount: Int?

    /// Creates a progress value.
    ///
    /// - Parameters:
    ///   - receivedByteCount: The number of received bytes.
    ///   - expectedByteCount: The total number of bytes, or `nil` if the service does not report it.
    public init(receivedByteCount: Int, expectedByteCount: Int? = nil) {
        self.receivedByteCount = receivedByteCount
        self.expectedByteCount = expectedByteCount
    }
}
