import DataStoreCore

/// The changes of a write transaction that have not been sent to the server. ``GroupCommit`` takes a checkpoint before
/// it runs a closure, and restores it if the closure throws. A checkpoint takes constant time.
struct Overlay {
    typealias Checkpoint = (records: RecordTree, removed: RecordTree, unverifiedCount: Int)

    /// The stored records.
    private(set) var records = RecordTree()
    /// The removed keys, each with an empty record.
    private(set) var removed = RecordTree()
    /// The keys of replaced records whose checksums must be verified before the commit.
    private(set) var unverified: [Key] = []

    /// Whether the transaction has changed nothing.
    var isEmpty: Bool { records.count == 0 && removed.count == 0 }

    /// The state to which ``restore(_:)`` returns.
    var checkpoint: Checkpoint { (records, removed, unverified.count) }

    /// Discards all changes since a checkpoint.
    mutating func restore(_ checkpoint: Checkpoint) {
        (records, removed) = (checkpoint.records, checkpoint.removed)
        unverified.removeSubrange(checkpoint.unverifiedCount...)
    }

    /// Stores a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: The key of the record.
    ///   - isVerified: Whether the previous record of the key has been verified, or needs no verification.
    mutating func put(_ record: Record, for key: Key, isVerified: Bool) {
        // The checksum of a record that was removed need not match.
        let wasRemoved = removed.count > 0 && removed.remove(key)
        if !isVerified, !wasRemoved, records.record(for: key) == nil { unverified.append(key) }
        records.put(record, for: key)
    }

    /// Removes a key.
    mutating func remove(_ key: Key) {
        _ = records.remove(key)
        removed.put(Record(), for: key)
    }

    /// Returns the record of a key in this transaction: `.some(nil)` if it was removed, and `nil` if it was not
    /// changed.
    func change(of key: Key) -> Record?? {
        if let record = records.record(for: key) { return .some(record) }
        return removed.record(for: key) == nil ? nil : .some(nil)
    }
}
