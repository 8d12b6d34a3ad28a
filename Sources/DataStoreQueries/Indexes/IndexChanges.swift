import DataStoreCore

/// The changes of index entries that follow from the change of one record.
struct IndexChanges {
    private let key: Key
    private var put: [(key: Key, content: Record)] = []
    private var removed: [Key] = []
    /// The indexes that get their first overflow entry.
    private(set) var indexesWithFirstOverflow: [String] = []

    init(_ key: Key) { self.key = key }

    /// Writes the changes.
    func apply(to backend: any NativeWriteBackend) throws(DataStoreError) {
        for key in removed { _ = try backend.remove(key) }
        for (key, content) in put { try backend.replace(content, for: key) }
    }

    /// Adds the changes of a record that replaces another one.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique`.
    mutating func add(
        _ indexes: [IndexCatalogue.Item], from old: borrowing RecordView, to record: Record,
        in backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            let origin = try item.field.origin(in: old, id: key.id)
            let newOrigin = try item.field.origin(in: RecordView(record), id: key.id)
            // Most saves change one field of several.
            let isSame = origin == newOrigin
            if isSame, !item.state.isCovering { continue }
            let new = entries(of: newOrigin, item)
            let old = isSame ? new : entries(of: origin, item)
            for entry in new {
                if !old.contains(where: { $0.hasSameBytes(as: entry) }) {
                    try insert(entry, record, item, backend)
                } else if item.state.isCovering {
                    store(entry, record, item)
                }
            }
            for entry in old where !new.contains(where: { $0.hasSameBytes(as: entry) }) { remove(entry, item) }
        }
    }

    /// Adds the changes of a record with a new key.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique`.
    mutating func add(
        _ indexes: [IndexCatalogue.Item], to record: Record, in backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            for entry in entries(of: try item.field.origin(in: RecordView(record), id: key.id), item) {
                try insert(entry, record, item, backend)
            }
        }
    }

    /// Adds the changes of a removed record.
    mutating func add(
        _ indexes: [IndexCatalogue.Item], removing old: borrowing RecordView
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            for entry in entries(of: try item.field.origin(in: old, id: key.id), item) { remove(entry, item) }
        }
    }

    private func entries(of origin: Value?, _ item: IndexCatalogue.Item) -> [String] {
        IndexEntry.ids(of: origin, id: key.id, by: item.field, in: item.state.entries)
    }

    private mutating func insert(
        _ entry: String, _ record: Record, _ item: IndexCatalogue.Item, _ backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        if item.state.isUnique {
            let values = UniqueValues(of: item.field, in: item.state.entries, key.collection)
            try values.check(entry, of: key, record, ReadTransaction(native: backend))
        }
        if IndexEntry.isOverflow(entry), !item.state.hasOverflowEntries {
            indexesWithFirstOverflow.append(item.field.name)
        }
        store(entry, record, item)
    }

    private mutating func store(_ entry: String, _ record: Record, _ item: IndexCatalogue.Item) {
        put.append((Key(kept: entry, in: item.state.entries), item.state.content(of: entry, record)))
    }

    private mutating func remove(_ entry: String, _ item: IndexCatalogue.Item) {
        removed.append(Key(kept: entry, in: item.state.entries))
    }
}
