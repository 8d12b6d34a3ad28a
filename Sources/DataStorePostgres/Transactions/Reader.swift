import DataStoreCore
import RecordFraming

/// The backend of a read transaction on an existing store.
final class Reader: ReadBackend {
    private let transaction: ServerTransaction

    let cache: QueryCache? = QueryCache()

    init(_ transaction: ServerTransaction) { self.transaction = transaction }

    /// Whether the catalogue of the store has been requested, which every query and every read of an entity needs.
    private var hasRequestedCatalogue = false

    func prefetch(_ scan: Scan) {
        requestCatalogue()
        ServerScan(scan, in: transaction).prefetch()
    }

    /// Requests the record of a key, which ``view(_:_:)`` returns later. The function does not wait for the server.
    func prefetchRecord(for key: Key) {
        requestCatalogue()
        transaction.prefetch(.get, KeyBytes.with(key) { Parameters($0) })
    }

    private func requestCatalogue() {
        guard !exchange(&hasRequestedCatalogue, with: true) else { return }
        let key = KeyBytes.with(IndexState.storeCatalogue) { Parameters($0) }
        transaction.prefetch(.get, key, flushing: false)
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

    func estimatedCount(of collection: String) throws(DataStoreError) -> (number: Int, isExact: Bool)? {
        try transaction.estimatedCount(of: collection)
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
