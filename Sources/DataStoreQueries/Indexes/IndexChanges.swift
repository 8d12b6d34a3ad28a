import DataStoreCore

/// The index entries to add and remove when one record changes. The handler of a transaction reuses it for each record,
/// so that its memory is allocated once.
struct IndexChanges {
    private var entries = IndexEntryChanges()
    /// The names of the indexes that had no overflow entry until this change adds one.
    private(set) var indexesWithFirstOverflow: [String] = []

    /// Removes all changes, and keeps the memory for the next record.
    mutating func removeAll() {
        entries.removeAll()
        indexesWithFirstOverflow = []
    }

    /// Writes the record, if `key` is not `nil`, and the changes of the index entries.
    func apply(_ record: Record, for key: Key?, to backend: any NativeWriteBackend) throws(DataStoreError) {
        try backend.replace(record, for: key, entries)
    }

    /// Adds the changes for a record that replaces another one.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value of a unique field.
    mutating func add(
        _ indexes: [MaintainedIndex], for key: Key, from old: borrowing RecordView, to record: Record,
        in backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        let new = RecordView(record)
        var (origin, newOrigin, isSame): (Value?, Value?, Bool) = (nil, nil, true)
        var previous: QueryField?
        for item in indexes where item.state.covers(key.id) {
            // Often several indexes have the same stored field.
            if previous.map(item.field.hasSameOrigin) != true {
                origin = try item.field.origin(in: old, id: key.id)
                newOrigin = try item.field.origin(in: new, id: key.id)
                isSame = origin == newOrigin
                previous = item.field
            }
            // Most saves change only one of several fields.
            if isSame, !item.state.isCovering { continue }
            guard item.field.isSingle else {
                try addElements(of: newOrigin, replacing: origin, isSame, item, key, record, backend)
                continue
            }
            let index = entries.count
            let isOverflow = store(newOrigin, item, key)
            if isSame { continue }
            remove(origin, item, key)
            if entries.endsWithEqualKeys {
                entries.removeLast()
                if !needsCheck(item, isOverflow) {
                    if !item.state.isCovering { entries.removeLast() }
                    continue
                }
            }
            try check(index, item, key, record, backend)
        }
    }

    /// Adds the changes for a record with a new key.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value of a unique field.
    mutating func add(
        _ indexes: [MaintainedIndex], for key: Key, to record: Record, in backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        let new = RecordView(record)
        for item in indexes where item.state.covers(key.id) {
            let origin = try item.field.origin(in: new, id: key.id)
            if item.field.isSingle {
                _ = store(origin, item, key)
                try check(entries.count - 1, item, key, record, backend)
            } else {
                for id in ids(of: origin, item, key) {
                    store(id, item)
                    try check(entries.count - 1, item, key, record, backend)
                }
            }
        }
    }

    /// Adds the changes for a removed record.
    mutating func add(
        _ indexes: [MaintainedIndex], for key: Key, removing old: borrowing RecordView
    ) throws(DataStoreError) {
        for item in indexes where item.state.covers(key.id) {
            for id in ids(of: try item.field.origin(in: old, id: key.id), item, key) { remove(id, item) }
        }
    }

    /// Adds the changes for a field that can have several values. `isSame` states whether the stored value is
    /// unchanged.
    private mutating func addElements(
        of newOrigin: Value?, replacing origin: Value?, _ isSame: Bool, _ item: MaintainedIndex, _ key: Key,
        _ record: Record, _ backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        let new = ids(of: newOrigin, item, key)
        let old = isSame ? new : ids(of: origin, item, key)
        let (oldSet, newSet) = (Set(old), Set(new))
        for id in new {
            if !oldSet.contains(id) || !isSame && needsCheck(item, IndexEntry.isOverflow(id)) {
                store(id, item)
                try check(entries.count - 1, item, key, record, backend)
            } else if item.state.isCovering {
                store(id, item)
            }
        }
        for id in old where !newSet.contains(id) { remove(id, item) }
    }

    private func ids(of origin: Value?, _ item: MaintainedIndex, _ key: Key) -> [[UInt8]] {
        IndexEntry.ids(of: origin, id: key.id, by: item.field, in: item.state.entries)
    }

    /// Returns whether a changed value must be checked for uniqueness although its entry is the same. An overflow entry
    /// contains only a hash, so different values can have the same entry.
    private func needsCheck(_ item: MaintainedIndex, _ isOverflow: Bool) -> Bool {
        item.state.isUnique && isOverflow
    }

    /// Throws an error if the index is unique and another record has the value of the entry at an index of ``entries``.
    private func check(
        _ index: Int, _ item: MaintainedIndex, _ key: Key, _ record: Record, _ backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        guard item.state.isUnique else { return }
        let values = UniqueValues(of: item.field, in: item.state.entries, key.collection)
        try values.check(entries.id(at: index), of: key, record, ReadTransaction(native: backend))
    }

    // MARK: Entries

    /// Stores the entry of a field with at most one value.
    ///
    /// - Returns: Whether it is an overflow entry.
    private mutating func store(_ origin: Value?, _ item: MaintainedIndex, _ key: Key) -> Bool {
        var isOverflow = false
        entries.append(item.keyPrefix) { bytes in
            isOverflow = IndexEntry.append(origin, id: key.id, by: item.field, in: item.state.entries, to: &bytes)
            return item.state.change(storing: isOverflow)
        }
        if isOverflow { noteOverflow(item) }
        return isOverflow
    }

    /// Stores the entry with an id.
    private mutating func store(_ id: [UInt8], _ item: MaintainedIndex) {
        let isOverflow = IndexEntry.isOverflow(id)
        entries.append(item.keyPrefix) { bytes in
            bytes += id
            return item.state.change(storing: isOverflow)
        }
        if isOverflow { noteOverflow(item) }
    }

    /// Removes the entry of a field with at most one value.
    private mutating func remove(_ origin: Value?, _ item: MaintainedIndex, _ key: Key) {
        entries.append(item.keyPrefix) { bytes in
            _ = IndexEntry.append(origin, id: key.id, by: item.field, in: item.state.entries, to: &bytes)
            return .removed
        }
    }

    /// Removes the entry with an id.
    private mutating func remove(_ id: [UInt8], _ item: MaintainedIndex) {
        entries.append(item.keyPrefix) { bytes in
            bytes += id
            return .removed
        }
    }

    private mutating func noteOverflow(_ item: MaintainedIndex) {
        if !item.state.hasOverflowEntries { indexesWithFirstOverflow.append(item.field.name) }
    }
}
