/// Keeps indexes consistent while a ``WriteTransaction`` changes records.
///
/// The port only invalidates them (``IndexInvalidation``). `DataStoreQueries` installs an implementation that maintains
/// them.
package protocol IndexMaintaining: AnyObject {
    /// Stores a record and updates or invalidates its index entries.
    func put(
        _ record: Record, for key: Key, replacing old: ReplacedRecord, in backend: any NativeWriteBackend
    ) throws(DataStoreError)

    /// Removes a record and updates or invalidates its index entries.
    ///
    /// - Returns: Whether the key existed.
    func remove(_ key: Key, in backend: any NativeWriteBackend) throws(DataStoreError) -> Bool

    /// Updates or invalidates the indexes of a collection after all of its records were removed.
    func didRemoveAll(of collection: String, in backend: any NativeWriteBackend) throws(DataStoreError)

    /// Discards what is cached about the indexes of a collection, because a query may have created one.
    func forget(_ collection: String)
}

/// The record that a write replaces.
package enum ReplacedRecord {
    /// The transaction has not read it.
    case unread
    /// The transaction has read it, and verified its bytes; `nil` if the key does not exist.
    case read(Record?)
}
