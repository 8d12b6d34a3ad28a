#if Sealing
import DataStoreCore
import DataStoreQueries

/// The record with the data keys of a store. Each copy of the store contains it.
///
/// It has two fields: `envelope`, and `epoch`, a number that changes whenever running programs must read the keys and
/// the sealed fields again.
struct SealingRecord {
    static let key = Key(stored: "keys", in: SealedFields.collection)
    static let epochField = "epoch"
    private static let envelopeField = "envelope"

    var epoch: Int64
    var envelope: SealingEnvelope

    /// Reads the record. Returns `nil` if the store never had a sealed field.
    init?(in transaction: borrowing ReadTransaction) throws(DataStoreError) {
        guard let record = try transaction.record(for: SealingRecord.key) else { return nil }
        guard case .integer(let epoch)? = record[SealingRecord.epochField],
            case .record(let envelope)? = record[SealingRecord.envelopeField], record.count == 2
        else { throw .damagedEnvelope("its record is incomplete") }
        self.epoch = epoch
        self.envelope = try SealingEnvelope(record: envelope)
    }

    init(_ envelope: SealingEnvelope) { (epoch, self.envelope) = (0, envelope) }

    func put(in transaction: inout WriteTransaction) throws(DataStoreError) {
        try transaction.put(
            [
                SealingRecord.epochField: .integer(epoch),
                SealingRecord.envelopeField: .record(envelope.record),
            ], for: SealingRecord.key)
    }
}
#endif
