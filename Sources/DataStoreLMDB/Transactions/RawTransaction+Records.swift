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
}

/// The cursor with which a write transaction finds and stores records.
///
/// A ``Writer`` reuses one cursor, because a key near the previous one is found without descending from the root. It
/// must destroy this object before the transaction ends.
final class RecordOutput {
    private let cursor: Cursor

    init(_ transaction: RawTransaction) throws(DataStoreError) { cursor = try transaction.cursor() }

    /// Returns the stored bytes of a record, or `nil` if the key does not exist. They are valid until the transaction
    /// writes or ends.
    func value(of key: Span<UInt8>) throws(DataStoreError) -> MDB_val? { unsafe try cursor.value(of: key) }

    /// Stores an encoded record under a key, and replaces any existing record. Writes the checksum into the frame.
    func replace(_ key: Span<UInt8>, by frame: inout MutableSpan<UInt8>) throws(DataStoreError) {
        RecordFrame.finish(&frame, key: key)
        try cursor.put(frame.span, for: key)
    }

    /// Stores a record under a key, and replaces any existing record.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the existing record is damaged. It is not overwritten,
    ///   because it may still be recovered.
    func put(_ record: Record, for key: Key) throws(DataStoreError) {
        try KeyBytes.with(key) { key throws(DataStoreError) in
            try RecordFrame.with(record, key: key) { frame throws(DataStoreError) in
                try cursor.put(frame, for: key) { old throws(DataStoreError) in try RecordFrame.verify(old, key: key) }
            }
        }
    }
}
