import CDataStoreLMDB
import DataStoreCore
import RecordFraming

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
    func put(_ record: Record, for key: Key) throws(DataStoreError) { try cursor.put(record, for: key) }
}

extension Cursor {
    /// Stores a record under a key, and replaces any existing record.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the existing record is damaged. It is not overwritten,
    ///   because it may still be recovered.
    fileprivate func put(_ record: Record, for key: Key) throws(DataStoreError) {
        try KeyBytes.with(key) { key throws(DataStoreError) in
            try RecordFrame.with(record, key: key) { frame throws(DataStoreError) in
                try put(frame, for: key) { old throws(DataStoreError) in try RecordFrame.verify(old, key: key) }
            }
        }
    }
}
