import ForecastAPI
import Logging
import UserProfileDomain

/// A forecast source that logs the fetches of another source and their outcome.
///
/// It logs neither error messages, which may contain input, nor data of a user.
struct LoggingForecastSource: ForecastSource {
    let source: any ForecastSource
    let logger: Logger

    func fetch(
        _ city: CityCode, unlessStill version: FetchedVersion?,
        progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedWeather {
        logger.debug("fetching a forecast", metadata: ["city": "\(city)"])
        do {
            let response = try await source.fetch(city, unlessStill: version, progress: progress)
            let outcome = if case .new = response { "new" } else { "unchanged" }
            logger.info("fetched a forecast", metadata: ["city": "\(city)", "outcome": "\(outcome)"])
            if case .new(_, _, let warnings) = response, !warnings.isEmpty {
                logger.warning("a forecast lacks days", metadata: ["city": "\(city)", "count": "\(warnings.count)"])
            }
            return response
        } catch is CancellationError {
            logger.debug("a fetch was cancelled", metadata: ["city": "\(city)"])
            throw CancellationError()
        } catch {
            let code = (error as? RepositoryError)?.code.rawValue ?? "\(type(of: error))"
            logger.warning("a forecast cannot be fetched", metadata: ["city": "\(city)", "code": "\(code)"])
            throw error
        }
    }
}
