#if Sealing
import DataStoreCore

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
