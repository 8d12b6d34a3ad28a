#if Sealing
import Crypto
import Synchronization

/// A key that seals values, with the key of the blinds beside it. Wrapped keys, which are bytes, are useless without
/// the key of the program.
struct DataKey<Key: Sendable>: Sendable {
    /// The number that sealed values name.
    let number: UInt32
    let valueKey: Key
    let blindKey: Key
    /// The number of messages that programs have reserved.
    var messageCount: Int64 = 0

    /// Wraps or unwraps both keys.
    func map<Other, Failure>(_ transform: (Key) throws(Failure) -> Other) throws(Failure) -> DataKey<Other> {
        DataKey<Other>(
            number: number, valueKey: try transform(valueKey), blindKey: try transform(blindKey),
            messageCount: messageCount)
    }
}

extension DataKey<SymmetricKey> {
    /// Makes a new key. If `blindKey` is `nil`, the blind key is new, too.
    static func random(number: UInt32, blindKey: SymmetricKey?) -> DataKey {
        DataKey(
            number: number, valueKey: SymmetricKey(size: .bits256), blindKey: blindKey ?? SymmetricKey(size: .bits256))
    }
}

/// The data keys of a store, opened with the key of the program.
package final class SealingKeyring: Sendable {
    /// The data keys in the order of their numbers. The last one seals new values.
    let keys: [DataKey<SymmetricKey>]
    /// The number of messages that this process may still seal.
    private let allowance = Atomic<Int64>(0)

    init(keys: [DataKey<SymmetricKey>]) { self.keys = keys }

    /// Returns the object that seals and opens the values of a field.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the id of the field does not have 16 bytes.
    func sealer(for field: SealedField) throws(DataStoreError) -> FieldSealer {
        let definition = field.definition
        return try FieldSealer(
            fieldID: field.id, isSearchable: definition.isSearchable, transform: definition.transform, self)
    }

    /// Allows the messages of a reservation, whose envelope was saved.
    ///
    /// - Returns: Whether the reservation is for the data key that seals new values. Otherwise the envelope has a newer
    ///   data key, and must be opened again.
    package func allow(_ reservation: SealingEnvelope.Reservation) -> Bool {
        guard reservation.keyNumber == keys.last?.number else { return false }
        allowance.add(reservation.count, ordering: .relaxed)
        return true
    }

    /// The number of the data key that seals new values.
    var currentNumber: UInt32? { keys.last?.number }

    /// Counts a message that is about to be sealed.
    ///
    /// - Throws: `DataStoreError` with the code `misuse` if no message is reserved.
    func countMessage() throws(DataStoreError) {
        guard allowance.subtract(1, ordering: .relaxed).newValue >= 0 else {
            allowance.add(1, ordering: .relaxed)
            throw DataStoreError(
                .misuse, "no message of the data key is reserved; reserve messages first",
                underlying: SealingNeed.messages)
        }
    }
}
#endif
