#if Sealing

// The failures of keys and sealed values. No message contains a byte of a key or of a value.
extension DataStoreError {
    /// The program does not have the requested key.
    static func missingSealingKey(_ request: SealingKeyRequest) -> DataStoreError {
        guard let number = request.number else {
            return DataStoreError(.missingSealingKey, "the program has no sealing key; provide one")
        }
        let name = SealingKey.name(number: number, label: request.label)
        let kind = request.derivation == nil ? "" : ", which is derived from a passphrase"
        return DataStoreError(.missingSealingKey, "the program does not have \(name)\(kind); provide this key")
    }

    /// The store has no keys.
    static var neverSealed: DataStoreError {
        DataStoreError(
            .missingSealingKey,
            "the store has no sealing key yet, because no field is sealed; open it with one to seal fields")
    }

    /// The key is another one, or no key at all.
    static func wrongSealingKey(_ reason: String) -> DataStoreError {
        DataStoreError(.wrongSealingKey, reason.escapingControlCharacters)
    }

    /// The key cannot be given now.
    static func sealingKeyUnavailable(_ reason: String, underlying: (any Error)? = nil) -> DataStoreError {
        DataStoreError(.sealingKeyUnavailable, reason.escapingControlCharacters, underlying: underlying)
    }

    /// The stored data keys are damaged.
    static func damagedEnvelope(_ damage: String) -> DataStoreError {
        DataStoreError(.corrupted, "the keys of the sealed fields are damaged (\(damage)); restore a backup")
    }
}

/// What a transaction lacks to seal or open a value. The sealed store provides it, and runs the transaction again.
enum SealingNeed: NeedsSuspension {
    /// The keys were not loaded yet, or the store has other keys meanwhile.
    case keys
    /// No message of the data key is reserved.
    case messages

    /// Returns the need that made a transaction fail, or `nil` if it failed for another reason.
    init?(of error: any Error) {
        guard let error = error as? DataStoreError, let need = error.underlying as? SealingNeed else { return nil }
        self = need
    }

    /// The error that leaves the transaction.
    var error: DataStoreError {
        DataStoreError(.sealingKeyUnavailable, "the sealing keys of the store are not loaded", underlying: self)
    }
}
#endif
