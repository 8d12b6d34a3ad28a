/// A handler that keeps indexes consistent while a ``WriteTransaction`` changes records.
///
/// ``IndexInvalidation`` marks indexes as invalid. `DataStoreQueries` has an implementation that updates their entries.
package protocol IndexMaintaining: AnyObject {
    /// Stores a record, and updates its index entries or invalidates the indexes of its collection.
    func put(
        _ record: Record, for key: Key, replacing old: ReplacedRecord, in backend: any WriteBackend
    ) throws(DataStoreError)

    /// Removes a record, and updates its index entries or invalidates the indexes of its collection.
    ///
    /// - Returns: Whether the record existed.
    func remove(_ key: Key, in backend: any WriteBackend) throws(DataStoreError) -> Bool

    /// Updates or invalidates the indexes of a collection after all of its records have been removed.
    func didRemoveAll(of collection: String, in backend: any WriteBackend) throws(DataStoreError)

    /// Discards the cached states of the indexes of a collection. Call it if something other than this handler may have
    /// changed the indexes, e.g. a query that creates one.
    func forget(_ collection: String)
}

/// The record that a write replaces, if the transaction has already read it.
package enum ReplacedRecord {
    /// The transaction has not read the replaced record.
    case unread
    /// The transaction has read and verified the replaced record. It is `nil` if the key did not exist.
    case read(Record?)
}

/// A handler that marks the indexes of a collection as invalid when a transaction changes a record without maintaining
/// indexes.
///
/// Queries do not use an invalid index. Without the mark, they would use an index that lacks the change.
package final class IndexInvalidation: IndexMaintaining {
    /// The collections that need no further mark in this transaction, because all their indexes are invalid or they
    /// have no indexes.
    private var done: [String] = []

    /// Creates a handler for one transaction.
    package init() {}

    package func put(
        _ record: Record, for key: Key, replacing old: ReplacedRecord, in backend: any WriteBackend
    ) throws(DataStoreError) {
        try invalidate(key.collection, in: backend)
        switch old {
        case .unread: try backend.put(record, for: key)
        case .read: try backend.replace(record, for: key, IndexEntryChanges())
        }
    }

    package func remove(_ key: Key, in backend: any WriteBackend) throws(DataStoreError) -> Bool {
        guard try backend.exists(key) else { return false }
        try invalidate(key.collection, in: backend)
        return try backend.remove(key)
    }

    package func didRemoveAll(of collection: String, in backend: any WriteBackend) throws(DataStoreError) {
        let catalogue = try ReadTransaction(backend).record(for: IndexState.catalogueKey(of: collection))
        // The entries of an invalid index would keep values of removed records in the store.
        for field in catalogue ?? [:] {
            guard let entries = IndexState.entries(ofStored: field.value) else { continue }
            _ = try backend.removeFirst(.max, of: entries)
        }
        try invalidate(collection, in: backend)
    }

    package func forget(_ collection: String) { done = done.filter { !$0.hasSameBytes(as: collection) } }

    private func invalidate(_ collection: String, in backend: any WriteBackend) throws(DataStoreError) {
        // A linear search suffices, because a transaction changes few collections. The copy of the array avoids a check
        // for overlapping accesses.
        let done = done
        for name in done where name.hasSameBytes(as: collection) { return }
        let key = IndexState.catalogueKey(of: collection)
        if let old = try ReadTransaction(backend).record(for: key) {
            let new = try IndexState.invalidating(catalogue: old, of: collection)
            if new != old { try backend.put(new, for: key) }
        }
        self.done = done + [collection]
    }
}
