import DataStoreCore
import ForecastAPI
import Logging
import UserProfileDomain

extension Logger {
    /// A closure that logs an event of a store. Pass it to functions with a parameter `report`.
    var storeReport: @Sendable (_ event: String) -> Void { { event in notice("\(event)") } }
}

/// A data store that logs the operations and failures of another store.
///
/// A write is logged with its duration and the number of records by collection.
///
/// It logs neither keys, which may name a user, nor error messages, which may contain keys and values.
struct LoggingDataStore: WrappingDataStore, HidesRecords {
    let base: any DataStore
    let logger: Logger

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try await reporting("a read failed") { try await base.read(body) }
    }

    func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await reporting("a read failed") { try await base.read(prefetching: key, body) }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        let isTraced = logger.logLevel <= .trace
        let start = ContinuousClock.now
        let (result, counts) = try await reporting("a write failed") {
            try await base.write { transaction in
                if isTraced { transaction.changeCounts = [:] }
                return (try body(&transaction), transaction.changeCounts ?? [:])
            }
        }
        let duration = start.duration(to: .now)
        for (collection, count) in counts {
            logger.trace(
                "wrote records",
                metadata: ["collection": "\(collection)", "count": "\(count)", "duration": "\(duration)"])
        }
        return result
    }

    func close() async {
        await base.close()
        logger.debug("closed the store")
    }

    private func reporting<Result>(
        _ message: Logger.Message, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as DataStoreError {
            // An error of another type comes from the caller's closure, and is not a failure of the store.
            logger.warning(message, metadata: ["code": "\(error.code)", "operation": "\(error.operation ?? "")"])
            throw error
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
