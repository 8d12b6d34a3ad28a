/// A data store that adds something to the transactions of another store. Everything else is forwarded.
package protocol WrappingDataStore: DataStore {
    var base: any DataStore { get }
}

extension WrappingDataStore {
    package func generation() async throws -> UInt64 { try await base.generation() }

    package func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await base.observe(scope, wake)
    }

    package func close() async { await base.close() }
}
