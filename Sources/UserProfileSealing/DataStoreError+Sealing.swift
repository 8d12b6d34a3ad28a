#if Sealing
import DataStoreCore

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
#endif
