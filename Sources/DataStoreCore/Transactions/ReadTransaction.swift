/// One snapshot of a store, for as long as the closure that was given to ``DataStore/read(_:)`` runs.
///
/// It cannot be copied, kept or used afterwards.
public struct ReadTransaction: ~Copyable, RecordReading {
    private let backend: any ReadBackend

    /// Wraps what a store reads with. Only stores make transactions.
    public init(_ backend: any ReadBackend) { self.backend = backend }

    /// The record of a key, or nil where it is not there.
    public func record(for key: Key) throws(DataStoreError) -> Record? {
        do {
            return try backend.record(for: key)
        } catch {
            throw error.adding(operation: "read a record", key: key)
        }
    }

    /// Shows records of a collection in the order of their ids, one after the other.
    public func forEach(in scan: Scan, _ body: (Key, Record) throws -> Scan.Step) throws {
        try backend.scan(scan, throwing: body)
    }
}
