// A transaction that does not maintain indexes marks the indexes of each collection that it changes as invalid. Queries
// do not use an invalid index. Without the mark, they would use an index that lacks the change.
extension WriteTransaction {
    mutating func putInvalidating(
        _ record: borrowing RecordView, for key: Key, replacing old: borrowing ReplacedRecord
    ) throws(DataStoreError) {
        try invalidateIndexes(of: key.collection)
        switch old {
        case .unread: try backend.put(record.record(), for: key)
        default: try backend.replace(record, for: key, IndexEntryChanges())
        }
    }

    mutating func removeInvalidating(_ key: Key) throws(DataStoreError) -> Bool {
        guard try backend.exists(key) else { return false }
        try invalidateIndexes(of: key.collection)
        return try backend.remove(key)
    }

    /// Invalidates the indexes of a collection after all of its records have been removed, and removes their entries.
    mutating func emptyIndexes(of collection: String) throws(DataStoreError) {
        let catalogue = try reading.record(for: IndexState.catalogueKey(of: collection))
        // The entries of an invalid index would keep values of removed records in the store.
        for field in catalogue ?? [:] {
            guard let entries = IndexState.entriesCollection(ofStored: field.value) else { continue }
            _ = try backend.removeFirst(.max, of: entries)
        }
        try invalidateIndexes(of: collection)
    }

    private mutating func invalidateIndexes(of collection: String) throws(DataStoreError) {
        // A linear search suffices, because a transaction changes few collections.
        for name in invalidated where name.hasSameBytes(as: collection) { return }
        let key = IndexState.catalogueKey(of: collection)
        if let old = try reading.record(for: key) {
            let new = try IndexState.invalidating(catalogue: old, of: collection)
            if new != old { try backend.put(new, for: key) }
        }
        invalidated.append(collection)
    }
}
