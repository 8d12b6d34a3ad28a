import DataStoreCore

/// The index entries to add and remove when one record changes.
struct IndexChanges {
    private let key: Key
    /// The new entries that do not contain the record.
    private var plain: [IndexEntryKey] = []
    /// The entries that contain the record: new ones, and existing ones whose record changes.
    private var covering: [IndexEntryKey] = []
    private var removed: [IndexEntryKey] = []
    /// The names of the indexes that had no overflow entry until this change adds one.
    private(set) var indexesWithFirstOverflow: [String] = []

    init(_ key: Key) { self.key = key }

    /// Writes the record, if it is not `nil`, and the changes of the index entries.
    func apply(_ record: Record?, to backend: any NativeWriteBackend) throws(DataStoreError) {
        if !removed.isEmpty { try backend.remove(removed) }
        if let record { try backend.replace(record, for: key, entries: covering) }
        if !plain.isEmpty { try backend.replace(Record(), for: nil, entries: plain) }
    }

    /// Adds the changes for a record that replaces another one.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value of a unique field.
    mutating func add(
        _ indexes: [MaintainedIndex], from old: borrowing RecordView, to record: Record,
        in backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            let origin = try item.field.origin(in: old, id: key.id)
            let newOrigin = try item.field.origin(in: RecordView(record), id: key.id)
            // Most saves change only one of several fields.
            let isSame = origin == newOrigin
            if isSame, !item.state.isCovering { continue }
            if item.field.isSingle {
                let new = entry(of: newOrigin, item)
                let old = isSame ? new : entry(of: origin, item)
                if old == new, !needsCheck(new, item, isSame) {
                    if item.state.isCovering { store(new, item) }
                } else {
                    try insert(new, record, item, backend)
                    if old != new { remove(old, item) }
                }
            } else {
                let new = entries(of: newOrigin, item)
                let old = isSame ? new : entries(of: origin, item)
                let (oldSet, newSet) = (Set(old), Set(new))
                for entry in new {
                    if !oldSet.contains(entry) || needsCheck(entry, item, isSame) {
                        try insert(entry, record, item, backend)
                    } else if item.state.isCovering {
                        store(entry, item)
                    }
                }
                for entry in old where !newSet.contains(entry) { remove(entry, item) }
            }
        }
    }

    /// Adds the changes for a record with a new key.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value of a unique field.
    mutating func add(
        _ indexes: [MaintainedIndex], to record: Record, in backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            let origin = try item.field.origin(in: RecordView(record), id: key.id)
            if item.field.isSingle {
                try insert(entry(of: origin, item), record, item, backend)
            } else {
                for entry in entries(of: origin, item) { try insert(entry, record, item, backend) }
            }
        }
    }

    /// Adds the changes for a removed record.
    mutating func add(
        _ indexes: [MaintainedIndex], removing old: borrowing RecordView
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            for entry in entries(of: try item.field.origin(in: old, id: key.id), item) { remove(entry, item) }
        }
    }

    /// Returns the entry of a record for a field with at most one value, without creating an array of entries.
    private func entry(of origin: Value?, _ item: MaintainedIndex) -> [UInt8] {
        IndexEntry.id(of: origin, id: key.id, by: item.field, in: item.state.entries)
    }

    private func entries(of origin: Value?, _ item: MaintainedIndex) -> [[UInt8]] {
        IndexEntry.ids(of: origin, id: key.id, by: item.field, in: item.state.entries)
    }

    /// Returns whether the value of an entry that the old record also has must be checked for uniqueness. An overflow
    /// entry contains only a hash, so its value can have changed although the entry is the same.
    ///
    /// `isSame` states whether the stored value of the field is unchanged.
    private func needsCheck(_ entry: [UInt8], _ item: MaintainedIndex, _ isSame: Bool) -> Bool {
        item.state.isUnique && !isSame && IndexEntry.isOverflow(entry)
    }

    private mutating func insert(
        _ entry: [UInt8], _ record: Record, _ item: MaintainedIndex, _ backend: any NativeWriteBackend
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

    private mutating func store(_ entry: [UInt8], _ item: MaintainedIndex) {
        let key = IndexEntryKey(entry, in: item.state.entries)
        if item.state.isCovering, !IndexEntry.isOverflow(entry) { covering.append(key) } else { plain.append(key) }
    }

    private mutating func remove(_ entry: [UInt8], _ item: MaintainedIndex) {
        removed.append(IndexEntryKey(entry, in: item.state.entries))
    }
}
