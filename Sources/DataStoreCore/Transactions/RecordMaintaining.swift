/// A handler that updates indexes and enforces rules while a ``WriteTransaction`` changes records. `DataStoreQueries`
/// implements it.
package protocol RecordMaintaining: AnyObject {
    /// Stores a record, and updates its index entries.
    func put(
        _ record: borrowing RecordView, for key: Key, replacing old: borrowing ReplacedRecord,
        in backend: any WriteBackend
    ) throws(DataStoreError)

    /// Removes a record, and updates its index entries.
    ///
    /// - Returns: Whether the record existed.
    func remove(_ key: Key, in backend: any WriteBackend) throws(DataStoreError) -> Bool

    /// Updates the indexes of a collection after all of its records have been removed.
    func didRemoveAll(of collection: String, in backend: any WriteBackend) throws(DataStoreError)

    /// Returns whether a collection has an index that rejects equal values.
    func hasUniqueIndex(_ collection: String, in backend: any WriteBackend) throws(DataStoreError) -> Bool

    /// Discards the cached states of the indexes of a collection. Call it if something other than this handler may have
    /// changed the indexes, e.g. a query that creates one.
    func forget(_ collection: String)
}

/// The record that a write replaces, if the transaction has already read it.
package enum ReplacedRecord: ~Copyable {
    /// The transaction has not read the replaced record.
    case unread
    /// The transaction has found no record.
    case missing
    /// The transaction has read and verified the replaced record.
    case stored(RecordView)

    /// Whether the transaction has not read the replaced record.
    package var isUnread: Bool {
        switch self {
        case .unread: true
        default: false
        }
    }

    /// Returns a record that the transaction has read, or ``missing`` if the key did not exist.
    package static func read(_ record: Record?) -> ReplacedRecord { record.map { .stored(RecordView($0)) } ?? .missing }
}
