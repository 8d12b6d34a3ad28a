import CDataStoreLMDB
import DataStoreCore
import RecordFraming

/// The cursor and the buffer with which a write transaction finds and stores records.
///
/// A ``Writer`` reuses one cursor, because a key near the previous one is found without descending from the root. It
/// must destroy this object before the transaction ends.
final class RecordOutput {
    private let cursor: Cursor
    /// The array into which each record is encoded.
    private var frame: [UInt8] = []

    init(_ transaction: RawTransaction) throws(DataStoreError) {
        cursor = try transaction.cursor()
        // The capacity suffices for most records.
        frame.reserveCapacity(512)
    }

    /// Returns the stored bytes of a record, or `nil` if the key does not exist. They are valid until the transaction
    /// writes or ends.
    func value(of key: Span<UInt8>) throws(DataStoreError) -> MDB_val? { unsafe try cursor.value(of: key) }

    /// Passes a reused array to a closure, which encodes a record into the array.
    func withFrame(_ body: (inout [UInt8]) throws(DataStoreError) -> Void) throws(DataStoreError) {
        // The array is moved out and back to avoid a copy.
        var frame = frame
        self.frame = []
        defer { self.frame = frame }
        try body(&frame)
    }

    /// Stores an encoded record under a key, and replaces any existing record.
    func replace(_ key: Span<UInt8>, by frame: inout [UInt8]) throws(DataStoreError) {
        RecordFrame.finish(&frame, key: key)
        try cursor.put(frame.span, for: key)
    }

    /// Stores an encoded record under a key. A damaged record is not overwritten, because it may still be recovered.
    func put(_ key: Span<UInt8>, _ frame: inout [UInt8]) throws(DataStoreError) {
        RecordFrame.finish(&frame, key: key)
        try cursor.put(frame.span, for: key) { old throws(DataStoreError) in try RecordFrame.verify(old, key: key) }
    }
}
