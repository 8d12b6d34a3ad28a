// The changes to index entries that follow from a change to one record.
extension IndexEntryChanges {
    /// Adds the index entries that must be removed and written if `new` replaces a record, which has been read, or is
    /// added to the store.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value of a unique field.
    mutating func add(
        _ indexes: [Index], for key: Key, from old: borrowing ReplacedRecord, to new: borrowing RecordView,
        in backend: any WriteBackend
    ) throws(DataStoreError) {
        for item in indexes where item.hasReached(key.id) {
            try item.field.validate(new, .invalidRecord)
            switch old {
            case .stored(let old): try add(item, key, from: old, to: new, backend)
            default:
                if item.field.isSingle {
                    _ = try store(new, item, key)
                    try check(count - 1, item, key, new, backend)
                } else {
                    try addElements(of: new, replacing: [], item, key, backend)
                }
            }
        }
    }

    private mutating func add(
        _ item: Index, _ key: Key, from old: borrowing RecordView, to new: borrowing RecordView,
        _ backend: any WriteBackend
    ) throws(DataStoreError) {
        let isSame = try item.field.isUnchanged(from: old, to: new)
        // Most saves change only one of several fields.
        if isSame, !item.isCovering { return }
        guard item.field.isSingle else {
            return try addElements(of: new, replacing: item.entryIDs(of: old, id: key.id), item, key, backend)
        }
        let position = count
        let isOverflow = try store(new, item, key)
        if isSame { return }
        try append(item.keyPrefix) { bytes throws(DataStoreError) in
            _ = try item.appendEntry(of: old, id: key.id, to: &bytes)
            return .removed
        }
        if endsWithEqualKeys {
            removeLast()
            // An overflow entry contains only a hash, so different values can have the same one.
            if !isOverflow || !item.isUnique {
                if !item.isCovering { removeLast() }
                return
            }
        }
        try check(position, item, key, new, backend)
    }

    /// Adds the removal of all index entries of a record.
    mutating func add(
        _ indexes: [Index], for key: Key, removing old: borrowing RecordView
    ) throws(DataStoreError) {
        for item in indexes where item.hasReached(key.id) {
            for id in try item.entryIDs(of: old, id: key.id) { try remove(id, item) }
        }
    }

    /// Adds the changes for an index whose field can have several values, and which is therefore not covering. `old`
    /// contains the previous entries.
    private mutating func addElements(
        of record: borrowing RecordView, replacing old: [[UInt8]], _ item: Index, _ key: Key,
        _ backend: any WriteBackend
    ) throws(DataStoreError) {
        let new = try item.entryIDs(of: record, id: key.id)
        let (known, kept) = (Set(old), Set(new))
        // An overflow entry contains only a hash, so different values can have the same one.
        let changed = new.filter { !known.contains($0) || item.isUnique && Index.isOverflow($0) }
        for id in changed { try store(id, item) }
        try item.checkUnique(changed, of: key, record, in: ReadTransaction(backend))
        for id in old where !kept.contains(id) { try remove(id, item) }
    }

    /// Throws an error if the index is unique and another record has the value of the new entry at a position of the
    /// list.
    private func check(
        _ position: Int, _ item: Index, _ key: Key, _ record: borrowing RecordView, _ backend: any WriteBackend
    ) throws(DataStoreError) {
        guard item.isUnique else { return }
        try item.checkUnique([id(at: position)], of: key, record, in: ReadTransaction(backend))
    }

    // MARK: Entries

    /// Adds a change that stores the entry of a field with at most one value.
    ///
    /// - Returns: Whether the entry is an overflow entry.
    private mutating func store(
        _ record: borrowing RecordView, _ item: Index, _ key: Key
    ) throws(DataStoreError) -> Bool {
        try store(item) { bytes throws(DataStoreError) in
            try item.appendEntry(of: record, id: key.id, to: &bytes)
        }
    }

    /// Adds a change that stores the entry with the id `id`.
    mutating func store(_ id: [UInt8], _ item: Index) throws(DataStoreError) {
        _ = try store(item) { bytes in
            bytes += id
            return Index.isOverflow(id)
        }
    }

    /// Adds a change that stores an entry. `appendID` appends the id of the entry, and returns whether it is an
    /// overflow entry.
    private mutating func store(
        _ item: Index, _ appendID: (inout [UInt8]) throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> Bool {
        var isOverflow = false
        try append(item.keyPrefix) { bytes throws(DataStoreError) in
            isOverflow = try appendID(&bytes)
            return item.isCovering && !isOverflow ? .storedWithRecord : .stored
        }
        if isOverflow, !item.state.hasOverflowEntries { firstOverflows.append(item.name) }
        return isOverflow
    }

    /// Adds a change that removes the entry with the id `id`.
    private mutating func remove(_ id: [UInt8], _ item: Index) throws(DataStoreError) {
        try append(item.keyPrefix) { bytes in
            bytes += id
            return .removed
        }
    }
}
