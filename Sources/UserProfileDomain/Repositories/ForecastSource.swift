/// Where forecasts come from, e.g. a weather service on the web.
public protocol ForecastSource: Sendable {
    /// Fetches the weather of a city.
    ///
    /// - Parameters:
    ///   - city: the city.
    ///   - version: the version that the caller has, or none; what is not newer need not be sent.
    ///   - progress: is told, on any thread, how much has arrived.
    /// - Returns: the weather, or that it is still that version.
    /// - Throws: ``RepositoryError``: ``RepositoryError/Code/notFound`` where the source does not know the city,
    ///   ``RepositoryError/Code/lackOfResources`` where it was asked too often, ``RepositoryError/Code/unavailable``
    ///   where it does not answer, ``RepositoryError/Code/unexpected`` where its answer cannot be read. Also
    ///   ``ValidationError`` where the source cannot be asked for that city, and `CancellationError`.
    func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather
}

/// What a ``ForecastSource`` answers.
public enum FetchedWeather: Hashable, Sendable {
    /// The weather, and which version it is, where the source says.
    case new(Weather, FetchedVersion?)
    /// It is still the version that the caller has.
    case unchanged
}

/// How much of a forecast has arrived.
public struct FetchProgress: Hashable, Sendable {
    /// How many bytes have arrived.
    public let receivedByteCount: Int

    /// How many there are in all, or none where the service does not say.
    public let expectedByteCount: Int?

    /// Says how much has arrived.
    ///
    /// - Parameters:
    ///   - receivedByteCount: how many bytes have arrived.
    ///   - expectedByteCount: how many there are in all, or none where the service does not say.
    public init(receivedByteCount: Int, expectedByteCount: Int? = nil) {
        self.receivedByteCount = receivedByteCount
        self.expectedByteCount = expectedByteCount
    }
}
