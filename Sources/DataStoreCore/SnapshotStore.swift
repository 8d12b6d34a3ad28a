/// A store that can be read synchronously. To copy a store, the write closure of the target reads the source, and a
/// write closure cannot call asynchronous functions.
package protocol SnapshotStore: DataStore {
    /// Runs a closure on one snapshot of the store and returns the result of the closure. The function may block the
    /// current thread.
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}
