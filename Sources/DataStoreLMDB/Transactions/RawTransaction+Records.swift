import CDataStoreLMDB
import DataStoreCore
import RecordFraming

/// These functions read records in read and write transactions.
extension RawTransaction {
    /// Passes the record of a key to a closure, and returns whether the record exists. `decoder` creates the view of
    /// the record.
    func view(
        _ key: Key, using decoder: StoredRecord, _ body: (borrowing RecordView) -> Void
    ) throws(DataStoreError) -> Bool {
        // The closure returns the value, because capturing the decoder would retain it.
        let frame = unsafe try KeyBytes.with(key) { bytes throws(DataStoreError) -> MDB_val? in
            guard let frame = unsafe try value(of: bytes) else { return nil }
            try RecordFrame.verify(unsafe UnsafeBufferPointer(frame).span, key: bytes)
            return unsafe frame
        }
        guard let frame = unsafe frame else { return false }
        let bytes = unsafe UnsafeBufferPointer(frame).span
        try decoder.withView(of: bytes.extracting(droppingFirst: RecordFrame.headCount), body)
        return true
    }

    /// Passes the records of a scan to `visit`, in the order of the scan. `decoder` creates the views of the records.
    func scan(
        _ scan: Scan, using decoder: StoredRecord, _ visit: (Key, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        var cursor = try cursor()
        try cursor.scan(scan, using: decoder, visit)
    }

    /// Passes the records of a scan, with their ids as bytes, to `visit`, in the order of the scan.
    func scanBytes(
        _ scan: borrowing Scan, using decoder: StoredRecord,
        _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        var cursor = try cursor()
        try cursor.scanBytes(scan, using: decoder, visit)
    }

    /// Returns the name of the next collection.
    ///
    /// - Parameter name: The name after which the collection comes in the order of the keys, or `nil` for the first
    ///   collection.
    /// - Returns: The name, or `nil` if no further collection exists.
    /// - Throws: `DataStoreError` if the keys cannot be read or are damaged.
    func collection(after name: String?) throws(DataStoreError) -> String? {
        var cursor = try cursor()
        return try cursor.collection(after: name)
    }
}

extension StoredRecord {
    /// Verifies the stored bytes of a record, and passes a view of it to a closure.
    @inline(__always)
    func view(
        _ frame: Span<UInt8>, of key: Span<UInt8>, _ body: (borrowing RecordView) -> Void
    ) throws(DataStoreError) {
        try withView(of: frame.extracting(RecordFrame.body(of: frame, key: key)), body)
    }
}
