/// A record together with the key under which it is stored.
public struct Entry: Hashable, Sendable {
    /// The key under which the record is stored.
    public let key: Key

    /// The stored record.
    public let record: Record

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - key: The key under which the record is stored.
    ///   - record: The stored record.
    public init(key: Key, record: Record) {
        self.key = key
        self.record = record
    }
}
