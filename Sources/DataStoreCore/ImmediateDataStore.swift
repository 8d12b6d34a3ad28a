/// A ``DataStore`` whose reads run on the calling thread and never suspend.
///
/// A call of the asynchronous requirement of ``DataStore`` through an existential costs as many instructions as finding
/// a record.
@usableFromInline
package protocol ImmediateDataStore: DataStore, AnyObject {
    /// Runs a closure on one snapshot of the store, on the calling thread, and returns the result of the closure.
    func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}

extension ImmediateDataStore {
    /// Calls the requirement of this protocol. In an asynchronous function, `read` is that of ``DataStore``.
    @inlinable @inline(__always)
    package func readImmediately<Result: Sendable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try read(body)
    }
}
