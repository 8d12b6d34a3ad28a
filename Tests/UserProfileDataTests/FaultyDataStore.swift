import DataStoreCore

/// A store whose operations always fail with the same error.
struct FaultyDataStore: DataStore {
    let error: any Error

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        throw error
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        throw error
    }

    func generation() async throws -> UInt64 { throw error }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        await observeByPolling(wake)
    }

    func close() async {}
}
