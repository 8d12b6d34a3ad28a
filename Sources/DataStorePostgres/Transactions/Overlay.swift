/// The changes of a write transaction that have not been sent to the server. ``GroupCommit`` copies them before it runs
/// a closure, and restores the copy if the closure throws. A copy takes constant time.
struct Overlay {
    /// The stored records.
    private(set) var records = RecordTree()
    /// The removed keys, each with an empty record.
    private(set) var removed = RecordTree()
    /// The keys of replaced records whose checksums must be verified before the commit, each with an empty record.
    private(set) var unverified = RecordTree()

    /// Whether the transaction has changed nothing.
    var isEmpty: Bool { records.count == 0 && removed.count == 0 }

    /// Stores a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: The key of the record.
    ///   - isVerified: Whether the previous record of the key has been verified, or needs no verification.
    mutating func put(_ record: Record, for key: Key, isVerified: Bool) {
        // The checksum of a record that was removed need not match.
        let wasRemoved = removed.count > 0 && removed.remove(key)
        if !isVerified, !wasRemoved, records.record(for: key) == nil { unverified.put(Record(), for: key) }
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
