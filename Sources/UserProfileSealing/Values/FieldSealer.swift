#if Sealing
import Crypto
import RecordFraming

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Seals and opens the values of one field. It keeps the derived keys, because deriving them takes longer than opening
/// a value.
package final class FieldSealer: Sendable {
    /// The keys of this field, which are derived from a data key and its blind key. It is a class, because each value
    /// copies them.
    private final class Subkeys: Sendable {
        let number: UInt32
        let valueKey: SymmetricKey
        let blindKey: SymmetricKey
        /// The hashes of the two blocks of the blind key, with which HMAC-SHA-256 (RFC 2104) begins.
        private let (inner, outer): (SHA256, SHA256)

        init(_ key: DataKey<SymmetricKey>, fieldID: [UInt8]) {
            number = key.number
            valueKey = Subkeys.derived(from: key.valueKey, "value", fieldID)
            blindKey = Subkeys.derived(from: key.blindKey, "blind", fieldID)
            inner = Subkeys.hash(of: blindKey, pad: 0x36)
            outer = Subkeys.hash(of: blindKey, pad: 0x5C)
        }

        private static func derived(from key: SymmetricKey, _ purpose: String, _ fieldID: [UInt8]) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Array("userprofile-sealing-1 \(purpose) ".utf8) + fieldID,
                outputByteCount: 32)
        }

        private static func hash(of key: SymmetricKey, pad: UInt8) -> SHA256 {
            var block = Array(repeating: pad, count: SHA256.blockByteCount)
            unsafe key.withUnsafeBytes { bytes in
                for index in bytes.indices { unsafe block[index] ^= bytes[index] }
            }
            var hash = SHA256()
            hash.update(data: block)
            return hash
        }

        /// Returns the HMAC of a comparable form, shortened to a blind. It calls no generic code: `HMAC<SHA256>` takes
        /// twice as long for a mail address.
        func blind(of comparableForm: Value) -> [UInt8] {
            var (inner, outer) = (inner, outer)
            unsafe comparableForm.indexText.withUnsafeBytes { unsafe inner.update(bufferPointer: $0) }
            unsafe inner.finalize().withUnsafeBytes { unsafe outer.update(bufferPointer: $0) }
            return unsafe outer.finalize().withUnsafeBytes { unsafe Array($0.prefix(SealedValue.blindByteCount)) }
        }
    }

    /// The permanent id of the field, which does not depend on its name. It is part of each sealed value.
    package let fieldID: [UInt8]
    private let isSearchable: Bool
    /// The transform to the comparable form of values, or `nil` if a value is its own form. Values with equal forms are
    /// found together, e.g. spellings of one mail address.
    private let transform: ValueTransform?
    private let keyring: SealingKeyring
    /// In the order of the numbers of the data keys.
    private let subkeys: [Subkeys]

    /// Creates the sealer of a field. If the field is searchable, the equality of values is visible, and indexes find
    /// them. Otherwise, only their presence is visible.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the id does not have 16 bytes.
    package init(
        fieldID: [UInt8], isSearchable: Bool, transform: ValueTransform? = nil, _ keyring: SealingKeyring
    ) throws(DataStoreError) {
        guard fieldID.count == SealedValue.fieldIDByteCount else {
            throw DataStoreError(.corrupted, "the id of a sealed field is damaged; restore a backup")
        }
        self.fieldID = fieldID
        self.isSearchable = isSearchable
        self.transform = transform
        self.keyring = keyring
        subkeys = keyring.keys.map { Subkeys($0, fieldID: fieldID) }
    }

    /// Returns a new id of a field.
    package static func randomFieldID() -> [UInt8] {
        (0..<SealedValue.fieldIDByteCount).map { _ in .random(in: 0...255) }
    }

    /// Returns the blind of the sealed values whose comparable form is that of a value, or `nil` if the field is
    /// opaque. All data keys have the same blind key.
    package func blind(of value: Value) -> [UInt8]? {
        subkeys.last.flatMap { blind(of: value, $0) }
    }

    private func blind(of value: Value, _ keys: Subkeys) -> [UInt8]? {
        isSearchable ? keys.blind(of: transform?(value) ?? value) : nil
    }

    /// Returns a header with the blind of a value. A query compares sealed values with it.
    func header(of value: Value) -> [UInt8] {
        SealedValue.header(keyNumber: 0, fieldID: fieldID, blind: blind(of: value))
    }

    /// Seals a value of the field with the newest data key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - id: The id of the record. The sealed value can be opened only under this id.
    /// - Returns: The bytes of the sealed value.
    /// - Throws: `DataStoreError` with the code `misuse` if no message is reserved.
    package func seal(_ value: Value, inRecord id: String) throws(DataStoreError) -> [UInt8] {
        try keyring.countMessage()
        return try seal(value, inRecord: id, blind: blind(of: value))
    }

    /// Seals a value without counting its message. A test passes the nonce, and compares the bytes with those of
    /// another implementation.
    func seal(
        _ value: Value, inRecord id: String, nonce: AES.GCM.Nonce = AES.GCM.Nonce(), blind: [UInt8]?
    ) throws(DataStoreError) -> [UInt8] {
        guard let keys = subkeys.last else { throw .damagedEnvelope("there is no data key") }
        var bytes = SealedValue.header(keyNumber: keys.number, fieldID: fieldID, blind: blind)
        do {
            let box = try AES.GCM.seal(
                value.cbor, using: keys.valueKey, nonce: nonce, authenticating: bytes + Array(id.utf8))
            bytes += box.nonce
            bytes += box.ciphertext
            bytes += box.tag
        } catch {
            throw DataStoreError(.invalidRecord, "a value cannot be sealed", underlying: error)
        }
        return bytes
    }

    /// Opens a sealed value.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the sealed value.
    ///   - id: The id of the record that contains it.
    /// - Returns: The value.
    /// - Throws: `DataStoreError` with the code `corrupted` if a bit has changed, or the value was sealed for another
    ///   record, field or store, or `unsupportedFormat` if it has an unknown version.
    package func open(_ bytes: [UInt8], inRecord id: String) throws(DataStoreError) -> Value {
        let cbor = try opened(bytes, inRecord: id)
        return try Value(cbor: cbor.span)
    }

    /// Opens a sealed value, and appends the CBOR of the value to an array.
    func open(_ bytes: [UInt8], inRecord id: String, into cbor: inout [UInt8]) throws(DataStoreError) {
        let opened = try opened(bytes, inRecord: id)
        cbor.append(opened.span)
    }

    private func opened(_ bytes: [UInt8], inRecord id: String) throws(DataStoreError) -> Data {
        let sealed = try SealedValue(bytes)
        guard sealed.fieldID == fieldID[...], (sealed.blind != nil) == isSearchable else {
            throw .damagedSealedValue("it belongs to another field")
        }
        let (cbor, keys) = try decrypted(sealed, id)
        // Indexes trust the blind, which a program with the key has computed, maybe with another comparable form.
        if let blind = sealed.blind {
            guard try self.blind(of: Value(cbor: cbor.span), keys)?[...] == blind else {
                throw .damagedSealedValue("its blind is that of another value")
            }
        }
        return cbor
    }

    /// Seals a value anew with the newest data key, without counting its message. The comparable form must be known
    /// only if the blind key is new.
    ///
    /// - Throws: The errors of ``open(_:inRecord:)``.
    func resealed(_ sealed: SealedValue, inRecord id: String) throws(DataStoreError) -> [UInt8] {
        let (cbor, old) = try decrypted(sealed, id)
        let value = try Value(cbor: cbor.span)
        var blind = sealed.blind.map { Array($0) }
        if blind != nil, old.blindKey != subkeys.last?.blindKey {
            blind = self.blind(of: value)
            if blind == nil { throw .damagedSealedValue("no field of its collection has its id") }
        }
        return try seal(value, inRecord: id, blind: blind)
    }

    /// Decrypts a value of the field without comparing its blind. Returns the keys that have sealed it, too.
    private func decrypted(_ sealed: SealedValue, _ id: String) throws(DataStoreError) -> (Data, Subkeys) {
        let number = sealed.keyNumber
        guard let keys = subkeys.last(where: { $0.number == number }) else {
            throw .damagedSealedValue("the store has no data key \(number)")
        }
        do {
            let opened = try AES.GCM.open(
                AES.GCM.SealedBox(combined: sealed.box), using: keys.valueKey,
                authenticating: sealed.authenticatedBytes(inRecord: id))
            // A reader copies the bytes into a record without decoding them.
            try Value.requireSingle(inCBOR: opened.span)
            return (opened, keys)
        } catch {
            throw .damagedSealedValue("it was changed, or belongs to another record", underlying: error)
        }
    }
}
#endif
