import UserProfileDomain

/// The forecast source of a ``UserProfileStorage`` that was opened without one. Each fetch throws a
/// ``RepositoryError``.
struct MissingForecastSource: ForecastSource {
    func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather {
        throw RepositoryError(
            .programmingError,
            message:
                "could not fetch the weather of \(city): the storage has no source; open it with a ForecastSource")
    }
}
