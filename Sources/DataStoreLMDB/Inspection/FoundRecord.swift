import DataStoreCore
import RecordFraming

/// A record as it is found in a data file: a key, and the bytes under it.
struct FoundRecord: Sendable {
    let key: Key
    let record: Record

    /// Reads a record; nil where it is the one of the store's format.
    ///
    /// - Throws: `DataStoreError`: `corrupted` where the bytes are not those that were written, `formatTooNew`.
    init?(key bytes: ArraySlice<UInt8>, frame: [UInt8]) throws(DataStoreError) {
        let keyBytes = Array(bytes)
        record = try RecordFrame.record(in: frame.span, key: keyBytes.span)
        if keyBytes == KeyBytes.format {
            try StoreFormat.check(record)
            return nil
        }
        key = try KeyBytes.key(of: keyBytes.span)
    }
}
