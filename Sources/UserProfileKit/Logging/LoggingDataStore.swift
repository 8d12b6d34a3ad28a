import DataStoreCore
import Logging

/// A data store that logs the operations and failures of another store.
///
/// It logs neither keys, which may name a user, nor error messages, which may contain keys and values.
struct LoggingDataStore: DataStore, HidesRecords {
    let store: any DataStore
    let logger: Logger

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        do {
            return try await store.read(body)
        } catch {
            throw report(error, "a read failed")
        }
    }

    func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try await store.read(prefetching: key, body)
        } catch {
            throw report(error, "a read failed")
        }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        do {
            let result = try await store.write(body)
            logger.trace("a write is durable")
            return result
        } catch {
            throw report(error, "a write failed")
        }
    }

    func generation() async throws -> UInt64 { try await store.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await store.observe(scope, wake)
    }

    func close() async {
        await store.close()
        logger.debug("closed the store")
    }

    private func report(_ error: any Error, _ message: Logger.Message) -> any Error {
        // An error that the caller's closure throws is not a failure of the store.
        if let error = error as? DataStoreError {
            logger.warning(message, metadata: ["code": "\(error.code)", "operation": "\(error.operation ?? "")"])
        }
        return error
    }
}
