import DataStoreCore

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
                try addElements(of: new, replacing: old, isSame, item, key, backend)
                continue
            }
            let position = count
            let isOverflow = try store(new, item, key)
            if isSame { continue }
            try remove(old, item, key)
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
                let ids = try item.entryIDs(of: new, id: key.id)
                for id in ids { try store(id, item) }
                try item.checkUnique(ids, of: key, new, in: ReadTransaction(backend))
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

    /// Adds the changes for an index whose field can have several values. `isSame` states whether the write leaves the
    /// field's stored value unchanged.
    private mutating func addElements(
        of record: borrowing RecordView, replacing oldRecord: borrowing RecordView, _ isSame: Bool, _ item: Index,
        _ key: Key, _ backend: any WriteBackend
    ) throws(DataStoreError) {
        let new = try item.entryIDs(of: record, id: key.id)
        let old = isSame ? new : try item.entryIDs(of: oldRecord, id: key.id)
        let (oldSet, newSet) = (Set(old), Set(new))
        let changed = new.filter { id in
            !oldSet.contains(id) || !isSame && item.isUnique && Index.isOverflow(id)
        }
        for id in item.isCovering ? new : changed { try store(id, item) }
        try item.checkUnique(changed, of: key, record, in: ReadTransaction(backend))
        for id in old where !newSet.contains(id) { try remove(id, item) }
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
        var isOverflow = false
        try append(item.keyPrefix) { bytes throws(DataStoreError) in
            isOverflow = try item.appendEntry(of: record, id: key.id, to: &bytes)
            return item.change(storing: isOverflow)
        }
        noteOverflow(item, isOverflow)
        return isOverflow
    }

    /// Adds a change that stores the entry with the id `id`.
    mutating func store(_ id: [UInt8], _ item: Index) throws(DataStoreError) {
        let isOverflow = Index.isOverflow(id)
        try append(item.keyPrefix) { bytes in
            bytes += id
            return item.change(storing: isOverflow)
        }
        noteOverflow(item, isOverflow)
    }

    /// Adds a change that removes the entry of a field with at most one value.
    private mutating func remove(
        _ record: borrowing RecordView, _ item: Index, _ key: Key
    ) throws(DataStoreError) {
        try append(item.keyPrefix) { bytes throws(DataStoreError) in
            _ = try item.appendEntry(of: record, id: key.id, to: &bytes)
            return .removed
        }
    }

    /// Adds a change that removes the entry with the id `id`.
    private mutating func remove(_ id: [UInt8], _ item: Index) throws(DataStoreError) {
        try append(item.keyPrefix) { bytes in
            bytes += id
            return .removed
        }
    }

    private mutating func noteOverflow(_ item: Index, _ isOverflow: Bool) {
        if isOverflow, !item.state.hasOverflowEntries { firstOverflows.append(item.name) }
    }
}
