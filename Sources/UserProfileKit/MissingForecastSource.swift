#if !Networking
import UserProfileDomain

/// Stands where the source of forecasts would be, in a program that was built without one.
struct MissingForecastSource: ForecastSource {
    func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather {
        throw RepositoryError(
            .unavailable,
            message: "no weather of \(city) can be fetched: the program has no trait Networking of UserProfile")
    }
}
#endif
