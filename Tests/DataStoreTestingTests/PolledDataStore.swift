import DataStoreCore

/// A store that does not notify observers, so it is polled.
struct PolledDataStore: DataStore {
    let store: DictionaryDataStore

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try await store.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await store.write(body)
    }

    func generation() async throws -> UInt64 { try await store.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        await observeByPolling(wake)
    }

    func close() async { await store.close() }
}
