import DataStoreCore
import RecordFraming

/// A record that was found in a damaged data file, with its key.
struct SalvagedRecord: Sendable {
    let key: Key
    let record: Record

    /// Decodes a record. Returns `nil` for the record with the format version.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the bytes are damaged, or `formatTooNew` if a newer
    ///   program wrote them.
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
