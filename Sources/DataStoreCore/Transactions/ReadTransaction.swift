/// One snapshot of a store, for as long as the closure that was given to ``DataStore/read(_:)`` runs.
///
/// It cannot be copied, kept or used afterwards.
public struct ReadTransaction: ~Copyable, RecordReading {
    private let backend: any ReadBackend

    /// Wraps what a store reads with. Only stores make transactions.
    public init(_ backend: any ReadBackend) { self.backend = backend }

    /// The record of a key, or nil where it is not there.
    public func record(for key: Key) throws(DataStoreError) -> Record? {
        var record: Swift.Result<Record, DataStoreError>?
        do {
            _ = try backend.view(key) { view in
                record = Swift.Result { () throws(DataStoreError) in try view.record() }
            }
            return try record?.get()
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
    }

    /// Shows the record of a key to a closure, where it is there.
    public func withView<Result>(
        of key: Key, _ body: (borrowing RecordView) throws -> Result
    ) throws -> Result? {
        var result: Swift.Result<Result, any Error>?
        do {
            _ = try backend.view(key) { view in result = Swift.Result { try body(view) } }
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
        return try result?.get()
    }

    /// Shows records of a collection in the order of their ids, one after the other.
    public func forEachView(in scan: Scan, _ body: (Key, borrowing RecordView) throws -> Scan.Step) throws {
        // The scan ends at the first error.
        var failure: (any Error)?
        try backend.scan(scan) { key, view in
            do {
                return try body(key, view)
            } catch {
                failure = error
                return .stop
            }
        }
        if let failure { throw failure }
    }
}
