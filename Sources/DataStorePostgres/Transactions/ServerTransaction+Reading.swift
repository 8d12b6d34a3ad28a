import RecordFraming

// The transaction is the backend of reads on an existing store.
extension ServerTransaction: ReadBackend {
    func prefetch(_ scan: Scan) {
        requestCatalogue()
        ServerScan(scan, in: self).prefetch()
    }

    /// Requests the record of a key, which ``view(_:_:)`` returns later. The function does not wait for the server.
    func prefetchRecord(for key: Key) {
        requestCatalogue()
        prefetch(.get, [key.bytes])
    }

    private func requestCatalogue() {
        guard !exchange(&hasRequestedCatalogue, with: true) else { return }
        prefetch(.get, [IndexState.storeCatalogue.bytes], flushing: false)
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        try KeyBytes.with(key) { bytes throws(DataStoreError) in
            guard let found = try row(of: bytes) else { return false }
            try found.with(0, 0) { frame throws(DataStoreError) in
                try stored.view(frame, of: bytes, body)
            }
            return true
        }
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        let collection = scan.collection
        try forEach(in: scan) { id, view throws(DataStoreError) in
            visit(try KeyBytes.stored(id, in: collection), view)
        }
    }

    func scanBytes(_ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        try forEach(in: scan, visit)
    }
}
