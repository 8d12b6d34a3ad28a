import Logging

extension Logger {
    /// A closure that logs an event of a store. Pass it to functions with a parameter `report`.
    var storeReport: @Sendable (_ event: String) -> Void { { event in notice("\(event)") } }
}

/// A log of the transactions of a store. A line says the operation, the collection, the number of records and the
/// duration.
///
/// It logs neither keys, which may name a user, nor error messages, which may contain keys and values.
struct TransactionLog: TransactionObserver {
    let logger: Logger

    var isMeasuring: Bool { logger.logLevel <= .trace }

    func didEnd(_ report: TransactionReport) {
        let (operation, duration) = (report.operation.rawValue, "\(report.duration)")
        if let error = report.failure {
            logger.warning(
                "a \(operation) failed",
                metadata: [
                    "code": "\(error.code)", "operation": "\(error.operation ?? operation)", "duration": "\(duration)",
                ])
            return
        }
        for (collection, count) in report.recordCounts.sorted(by: { $0.key < $1.key }) {
            logger.trace(
                report.operation == .read ? "read records" : "wrote records",
                metadata: [
                    "operation": "\(operation)", "collection": "\(collection)", "count": "\(count)",
                    "duration": "\(duration)",
                ])
        }
    }
}

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
