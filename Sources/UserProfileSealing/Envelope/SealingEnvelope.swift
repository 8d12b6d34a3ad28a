#if Sealing
import Crypto

/// The data keys of a store, each wrapped by the key of the program (AES Key Wrap, RFC 3394). A store keeps the
/// envelope as a record.
///
/// The program's key encrypts only the data keys, so changing it changes this one record. Each data key has a blind key
/// beside it, which is the same for all data keys until it is renewed.
package struct SealingEnvelope: Sendable {
    /// A number of messages that the data key with a number may seal.
    package typealias Reservation = (keyNumber: UInt32, count: Int64)

    /// The maximum number of messages that one data key seals. With random nonces of 96 bits and 2^32 messages, two
    /// nonces are equal with a probability of less than 2^-32 (NIST SP 800-38D, section 8.3).
    package static let maximumMessageCount: Int64 = 1 << 32

    /// The number and the label of the program's key, and how it is derived from a passphrase.
    package let request: SealingKeyRequest

    /// The wrapped data keys in the order of their numbers. The last one seals new values.
    private(set) var keys: [DataKey<[UInt8]>]

    init(request: SealingKeyRequest, keys: [DataKey<[UInt8]>]) {
        self.request = request
        self.keys = keys
    }

    /// Creates the envelope of a store without sealed values, with a new data key and a new blind key.
    package init(for key: SealingKey) throws(DataStoreError) {
        try self.init([.random(number: 1, blindKey: nil)], for: key)
    }

    /// Wraps data keys by the key of the program.
    private init(_ dataKeys: [DataKey<SymmetricKey>], for key: SealingKey) throws(DataStoreError) {
        request = SealingKeyRequest(number: key.number, label: key.label, derivation: key.derivation)
        do {
            keys = try dataKeys.map { try $0.map { Array(try AES.KeyWrap.wrap($0, using: key.material)) } }
        } catch {
            throw DataStoreError(.inputOutput, "a data key cannot be wrapped", underlying: error)
        }
    }

    /// Unwraps the data keys.
    ///
    /// - Throws: `DataStoreError` with the code `missingSealingKey` if the key has another number, `wrongSealingKey` if
    ///   it opens none of the data keys, or `corrupted` if it opens some of them.
    package func open(with key: SealingKey) throws(DataStoreError) -> SealingKeyring {
        guard key.number == request.number else { throw .missingSealingKey(request) }
        let opened = keys.map { $0.map { unwrap($0, with: key) } }
        // Each wrapped key has a check of 64 bits, which another key of the program never passes.
        guard opened.contains(where: { $0.valueKey != nil || $0.blindKey != nil }) else {
            throw .wrongSealingKey("this is another \(key) than the one that opens the store; provide the right key")
        }
        return SealingKeyring(
            keys: try opened.map { (dataKey) throws(DataStoreError) in
                try dataKey.map { (key) throws(DataStoreError) in
                    guard let key else { throw .damagedEnvelope("data key \(dataKey.number) cannot be unwrapped") }
                    return key
                }
            })
    }

    private func unwrap(_ wrapped: [UInt8], with key: SealingKey) -> SymmetricKey? {
        do {
            return try AES.KeyWrap.unwrap(wrapped, using: key.material)
        } catch {
            return nil
        }
    }

    // MARK: Changing keys

    /// Returns the envelope with the same data keys, wrapped by another key of the program.
    ///
    /// - Throws: `DataStoreError` with the code `misuse` if both keys have the same number and the new one is not
    ///   derived from a passphrase, or an error of ``open(with:)``.
    package func rewrapped(from key: SealingKey, to newKey: SealingKey) throws(DataStoreError) -> SealingEnvelope {
        // A program with the old key must see that it lacks the new one.
        guard newKey.number != key.number || newKey.derivation != nil else {
            throw DataStoreError(.misuse, "the new sealing key has the number \(key.number), too; give it another one")
        }
        return try SealingEnvelope(try open(with: key).keys, for: newKey)
    }

    /// Returns the envelope with another data key, which seals new values.
    ///
    /// - Parameters:
    ///   - key: The key of the program.
    ///   - renewsBlindKey: Whether the blind key is renewed, too. Then values that the new key seals have other blinds
    ///     than equal values which older keys have sealed.
    /// - Returns: The new envelope.
    /// - Throws: `DataStoreError` with the code `full` if there are 256 data keys, or an error of ``open(with:)``.
    package func addingDataKey(
        _ key: SealingKey, renewsBlindKey: Bool = false
    ) throws(DataStoreError) -> SealingEnvelope {
        let opened = try open(with: key).keys
        guard let last = opened.last, last.number < .max, opened.count < SealingEnvelope.maximumKeyCount else {
            throw DataStoreError(.full, "the store has too many data keys; reseal it")
        }
        let new = DataKey.random(
            number: last.number + 1, blindKey: renewsBlindKey ? nil : last.blindKey)
        return try SealingEnvelope(opened + [new], for: key)
    }

    /// Removes all data keys but the last one, after all values have been sealed anew with it.
    package mutating func removeOldDataKeys() { keys.removeFirst(keys.count - 1) }

    // MARK: Limit

    /// Reserves messages, which a program may then seal with the last data key.
    ///
    /// The program saves the envelope before it uses the reservation, or together with the sealed values, so that all
    /// processes together never exceed the limit of the key. Messages that it does not use are lost.
    ///
    /// - Throws: `DataStoreError` with the code `full` if the data key cannot seal as many messages.
    @discardableResult
    package mutating func reserve(_ count: Int64) throws(DataStoreError) -> Reservation {
        let last = keys.count - 1
        guard count >= 0, count <= SealingEnvelope.maximumMessageCount - keys[last].messageCount else {
            throw DataStoreError(
                .full, "the data key \(keys[last].number) has sealed all its messages; reseal the store")
        }
        keys[last].messageCount += count
        return (keys[last].number, count)
    }
}
#endif
