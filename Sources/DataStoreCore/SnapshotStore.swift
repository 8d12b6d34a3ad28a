/// A store with synchronous reads. A copy uses it to read one store within the synchronous write closure of another.
package protocol SnapshotStore: DataStore {
    /// Runs a closure on one snapshot of the store and returns the result of the closure. The function may block the
    /// current thread.
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}
