import DataStoreCore

/// The changes of index entries that follow from the change of one record.
struct IndexChanges {
    private let key: Key
    /// Entries without a record.
    private var plain: [Key] = []
    /// The key of the record, and the entries that contain it.
    private var keys: [Key]
    private var removed: [Key] = []
    /// The indexes that get their first overflow entry.
    private(set) var indexesWithFirstOverflow: [String] = []

    init(_ key: Key) {
        self.key = key
        keys = [key]
    }

    /// Writes the record, if there is one, and the changes.
    func apply(_ record: Record?, to backend: any NativeWriteBackend) throws(DataStoreError) {
        for key in removed { _ = try backend.remove(key) }
        if let record { try backend.replace(record, for: keys) }
        if !plain.isEmpty { try backend.replace(Record(), for: plain) }
    }

    /// Adds the changes of a record that replaces another one.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique`.
    mutating func add(
        _ indexes: [MaintainedIndex], from old: borrowing RecordView, to record: Record,
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
            let (oldBytes, newBytes) = (Self.bytes(of: old), Self.bytes(of: new))
            for entry in new {
                // An overflow entry is the same for every long value, so it does not show whether the value has changed.
                let isUnchecked = item.state.isUnique && !isSame && IndexEntry.isOverflow(entry)
                if isUnchecked || !Self.contains(entry, old, oldBytes) {
                    try insert(entry, record, item, backend)
                } else if item.state.isCovering {
                    store(entry, item)
                }
            }
            for entry in old where !Self.contains(entry, new, newBytes) { remove(entry, item) }
        }
    }

    /// Adds the changes of a record with a new key.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique`.
    mutating func add(
        _ indexes: [MaintainedIndex], to record: Record, in backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            for entry in entries(of: try item.field.origin(in: RecordView(record), id: key.id), item) {
                try insert(entry, record, item, backend)
            }
        }
    }

    /// Adds the changes of a removed record.
    mutating func add(
        _ indexes: [MaintainedIndex], removing old: borrowing RecordView
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            for entry in entries(of: try item.field.origin(in: old, id: key.id), item) { remove(entry, item) }
        }
    }

    /// The bytes of entries that are too many for a linear search. (Equal strings can have different bytes.)
    private static func bytes(of entries: [String]) -> Set<[UInt8]>? {
        entries.count > 8 ? Set(entries.map { Array($0.utf8) }) : nil
    }

    private static func contains(_ entry: String, _ entries: [String], _ bytes: Set<[UInt8]>?) -> Bool {
        if let bytes { return bytes.contains(Array(entry.utf8)) }
        return entries.contains { $0.hasSameBytes(as: entry) }
    }

    private func entries(of origin: Value?, _ item: MaintainedIndex) -> [String] {
        IndexEntry.ids(of: origin, id: key.id, by: item.field, in: item.state.entries)
    }

    private mutating func insert(
        _ entry: String, _ record: Record, _ item: MaintainedIndex, _ backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        if item.state.isUnique {
            let values = UniqueValues(of: item.field, in: item.state.entries, key.collection)
            try values.check(entry, of: key, record, ReadTransaction(native: backend))
        }
        if IndexEntry.isOverflow(entry), !item.state.hasOverflowEntries {
            indexesWithFirstOverflow.append(item.field.name)
        }
        store(entry, item)
    }

    private mutating func store(_ entry: String, _ item: MaintainedIndex) {
        let key = Key(kept: entry, in: item.state.entries)
        if item.state.isCovering, !IndexEntry.isOverflow(entry) { keys.append(key) } else { plain.append(key) }
    }

    private mutating func remove(_ entry: String, _ item: MaintainedIndex) {
        removed.append(Key(kept: entry, in: item.state.entries))
    }
}
