/// A ``DataStore`` whose reads run on the calling thread and never suspend.
///
/// An asynchronous call through an existential costs as many instructions as finding a record. A caller that holds such
/// a store avoids this cost by calling the synchronous `read` of this protocol.
@usableFromInline
package protocol ImmediateDataStore: DataStore, AnyObject {
    /// Runs a closure on one snapshot of the store, on the calling thread, and returns the result of the closure.
    func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}

extension ImmediateDataStore {
    /// Calls the synchronous `read` of this protocol. In an asynchronous function, the name `read` would refer to the
    /// asynchronous requirement of ``DataStore``.
    @inlinable @inline(__always)
    package func readImmediately<Result: Sendable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try read(body)
    }
}
