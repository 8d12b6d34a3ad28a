/// A record and its key.
public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: Key

    /// The record.
    public let record: Record

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - record: The record.
    public init(key: Key, record: Record) {
        self.key = key
        self.record = record
    }
}
