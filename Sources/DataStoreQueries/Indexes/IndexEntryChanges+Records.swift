// The changes to index entries that follow from a change to one record.
extension IndexEntryChanges {
    /// Adds the index entries that must be removed and written if `new` replaces the stored record `old`.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value of a unique field.
    mutating func add(
        _ indexes: [Index], for key: Key, from old: borrowing RecordView, to new: borrowing RecordView,
        in backend: any WriteBackend
    ) throws(DataStoreError) {
        for item in indexes where item.hasReached(key.id) {
            try item.field.validate(new, .invalidRecord)
            let isSame = try item.field.isUnchanged(from: old, to: new)
            // Most saves change only one of several fields.
            if isSame, !item.isCovering { continue }
            guard item.field.isSingle else {
                let entries = isSame ? nil : try item.entryIDs(of: old, id: key.id)
                try addElements(of: new, replacing: entries, item, key, backend)
                continue
            }
            let position = count
            let isOverflow = try store(new, item, key)
            if isSame { continue }
            try append(item.keyPrefix) { bytes throws(DataStoreError) in
                _ = try item.appendEntry(of: old, id: key.id, to: &bytes)
                return .removed
            }
            if endsWithEqualKeys {
                removeLast()
                // An overflow entry contains only a hash, so different values can have the same one.
                if !isOverflow || !item.isUnique {
                    if !item.isCovering { removeLast() }
                    continue
                }
            }
            try check(position, item, key, new, backend)
        }
    }

    /// Adds the index entries of a record whose key does not exist in the store yet.
    ///
    /// - Throws: `DataStoreError` with the code `notUnique` if another record has the same value of a unique field.
    mutating func add(
        _ indexes: [Index], for key: Key, to new: borrowing RecordView, in backend: any WriteBackend
    ) throws(DataStoreError) {
        for item in indexes where item.hasReached(key.id) {
            try item.field.validate(new, .invalidRecord)
            if item.field.isSingle {
                _ = try store(new, item, key)
                try check(count - 1, item, key, new, backend)
            } else {
                try addElements(of: new, replacing: [], item, key, backend)
            }
        }
    }

    /// Adds the removal of all index entries of a record.
    mutating func add(
        _ indexes: [Index], for key: Key, removing old: borrowing RecordView
    ) throws(DataStoreError) {
        for item in indexes where item.hasReached(key.id) {
            for id in try item.entryIDs(of: old, id: key.id) { try remove(id, item) }
        }
    }

    /// Adds the changes for an index whose field can have several values. `old` contains the previous entries, or is
    /// `nil` if the write leaves the field's stored value unchanged.
    private mutating func addElements(
        of record: borrowing RecordView, replacing old: [[UInt8]]?, _ item: Index, _ key: Key,
        _ backend: any WriteBackend
    ) throws(DataStoreError) {
        let new = try item.entryIDs(of: record, id: key.id)
        let known = Set(old ?? new)
        // An overflow entry contains only a hash, so different values can have the same one.
        let changed = new.filter { id in
            !known.contains(id) || old != nil && item.isUnique && Index.isOverflow(id)
        }
        for id in item.isCovering ? new : changed { try store(id, item) }
        try item.checkUnique(changed, of: key, record, in: ReadTransaction(backend))
        guard let old, !old.isEmpty else { return }
        let kept = Set(new)
        for id in old where !kept.contains(id) { try remove(id, item) }
    }

    /// Throws an error if the index is unique and another record has the value of the new entry at a position of the
    /// list.
    private func check(
        _ position: Int, _ item: Index, _ key: Key, _ record: borrowing RecordView, _ backend: any WriteBackend
    ) throws(DataStoreError) {
        guard item.isUnique else { return }
        try item.checkUnique(
            CollectionOfOne(id(at: position)), of: key, record, in: ReadTransaction(backend))
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
