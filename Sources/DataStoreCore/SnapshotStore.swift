/// A store that can be read synchronously. The source of a copy must be such a store, because it is read in a write
/// closure of the target, and this closure cannot call asynchronous functions.
package protocol SnapshotStore: DataStore {
    /// Runs a closure on one snapshot of the store and returns the result of the closure. The function may block the
    /// current thread.
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}
