/// A ``DataStore`` that can be read without suspending, on the calling thread.
///
/// Synchronous code, e.g. the closure of a write to another store, can only read such a store. Asynchronous code reads
/// it faster, because an asynchronous call through an existential costs as many instructions as finding a record.
@usableFromInline
package protocol ImmediateDataStore: DataStore, AnyObject {
    /// Whether a read waits for a server. Asynchronous code then calls the asynchronous `read` instead, which does not
    /// block the calling thread.
    var waitsForServer: Bool { get }

    /// Runs a closure on one snapshot of the store, on the calling thread, and returns the result of the closure.
    func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}

extension ImmediateDataStore {
    @usableFromInline package var waitsForServer: Bool { false }

    /// Calls the synchronous `read` of this protocol. In an asynchronous function, the name `read` would refer to the
    /// asynchronous requirement of ``DataStore``.
    @inlinable @inline(__always)
    package func readImmediately<Result: Sendable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try read(body)
    }
}
