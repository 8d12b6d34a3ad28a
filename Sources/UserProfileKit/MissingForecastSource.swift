import UserProfileDomain

/// The source of a storage that was opened without one. Each fetch fails.
struct MissingForecastSource: ForecastSource {
    func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather {
        throw RepositoryError(
            .unavailable,
            message:
                "the weather of \(city) cannot be fetched: the storage has no source; open it with a ForecastSource")
    }
}
