import DataStoreCore
import RecordFraming

/// The backend of a read transaction on an existing store.
final class Reader: ReadBackend {
    private let transaction: ServerTransaction

    let cache: QueryCache? = QueryCache()

    init(_ transaction: ServerTransaction) { self.transaction = transaction }

    func prefetch(_ scan: Scan) { ServerScan(scan, in: transaction).prefetch() }

    /// Requests the record of a key, which ``view(_:_:)`` returns later. The function does not wait for the server.
    func prefetchRecord(for key: Key) {
        transaction.prefetch(.get, KeyBytes.with(key) { Parameters($0) })
    }

    /// Ends the transaction. The function waits for the server only if an answer that was requested in advance has not
    /// arrived.
    func end() { transaction.end() }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        try KeyBytes.with(key) { bytes throws(DataStoreError) in
            guard let found = try transaction.row(of: bytes) else { return false }
            try found.with(0, 0) { frame throws(DataStoreError) in
                try transaction.decode(frame, bytes, body)
            }
            return true
        }
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        let collection = scan.collection
        try transaction.forEach(in: scan) { id, view throws(DataStoreError) in
            visit(try KeyBytes.stored(id, in: collection), view)
        }
    }

    func scanBytes(_ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        try transaction.forEach(in: scan, visit)
    }

    func collection(after name: String?) throws(DataStoreError) -> String? {
        try transaction.collection(after: name)
    }
}
