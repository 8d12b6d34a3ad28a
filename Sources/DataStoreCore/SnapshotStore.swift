/// A store that can be read synchronously. When the library copies a store, it reads the source in a write closure of
/// the target. This closure cannot call asynchronous functions, so the source must be such a store.
package protocol SnapshotStore: DataStore {
    /// Runs a closure on one snapshot of the store and returns the result of the closure. The function may block the
    /// current thread.
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}

extension MemoryDataStore: SnapshotStore {
    package func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try read(body)
    }
}
