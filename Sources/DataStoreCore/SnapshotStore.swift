/// A store that can be read synchronously. A copy needs such a source: it reads the source in a write closure of the
/// target, which cannot call asynchronous functions.
package protocol SnapshotStore: DataStore {
    /// Runs a closure on one snapshot of the store and returns the result of the closure. The function may block the
    /// current thread.
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}
