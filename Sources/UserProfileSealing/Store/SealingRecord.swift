#if Sealing
import DataStoreCore
import DataStoreQueries

/// The record with the data keys of a store, its field `envelope`. Each copy of the store contains it.
struct SealingRecord {
    static let key = Key(stored: "keys", in: SealedFields.collection)
    private static let envelopeField = "envelope"

    var envelope: SealingEnvelope

    init(_ envelope: SealingEnvelope) { self.envelope = envelope }

    /// Reads the record. Returns `nil` if the store never had a sealed field.
    init?(in transaction: borrowing ReadTransaction) throws(DataStoreError) {
        guard let record = try transaction.record(for: SealingRecord.key) else { return nil }
        guard case .record(let envelope)? = record[SealingRecord.envelopeField], record.count == 1 else {
            throw .damagedEnvelope("its record is incomplete")
        }
        self.envelope = try SealingEnvelope(record: envelope)
    }

    func put(in transaction: inout WriteTransaction) throws(DataStoreError) {
        try transaction.put([SealingRecord.envelopeField: .record(envelope.record)], for: SealingRecord.key)
    }
}
#endif
