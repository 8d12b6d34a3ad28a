/// A record with the key that it is kept under.
public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: Key

    /// The record.
    public let record: Record

    /// Puts a key and a record together.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - record: the record.
    public init(key: Key, record: Record) {
        self.key = key
        self.record = record
    }
}
