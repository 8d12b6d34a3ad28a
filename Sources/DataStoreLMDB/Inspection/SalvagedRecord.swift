import DataStoreCore
import RecordFraming

/// A record that was found in a data file, with its key.
struct SalvagedRecord: Sendable {
    let key: Key
    let record: Record

    /// Decodes a record; returns `nil` for the record of the store's format.
    ///
    /// - Throws: `DataStoreError`: `corrupted` if the bytes are damaged, `formatTooNew`.
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
