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
        var (origin, newOrigin, isSame): (Value?, Value?, Bool) = (nil, nil, true)
        var previous: Index?
        for item in indexes where item.covers(key.id) {
            // Often several indexes have the same stored field.
            if previous.map({ item.field.hasSameOrigin(as: $0.field) }) != true {
                origin = try item.field.origin(in: old, id: key.id)
                newOrigin = try item.field.origin(in: new, id: key.id)
                try item.field.validate(newOrigin, .invalidRecord)
                isSame = origin == newOrigin
                previous = item
            }
            // Most saves change only one of several fields.
            if isSame, !item.isCovering { continue }
            guard item.field.isSingle else {
                try addElements(of: newOrigin, replacing: origin, isSame, item, key, new, backend)
                continue
            }
            let position = count
            let isOverflow = store(newOrigin, item, key)
            if isSame { continue }
            remove(origin, item, key)
            if endsWithEqualKeys {
                removeLast()
                if !needsCheck(item, isOverflow) {
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
        for item in indexes where item.covers(key.id) {
            let origin = try item.field.origin(in: new, id: key.id)
            try item.field.validate(origin, .invalidRecord)
            if item.field.isSingle {
                _ = store(origin, item, key)
                try check(count - 1, item, key, new, backend)
            } else {
                let ids = ids(of: origin, item, key)
                for id in ids { store(id, item) }
                try item.checkUnique(ids, of: key, new, in: ReadTransaction(backend))
            }
        }
    }

    /// Adds the removal of all index entries of a record.
    mutating func add(
        _ indexes: [Index], for key: Key, removing old: borrowing RecordView
    ) throws(DataStoreError) {
        for item in indexes where item.covers(key.id) {
            for id in ids(of: try item.field.origin(in: old, id: key.id), item, key) { remove(id, item) }
        }
    }

    /// Adds the changes for an index whose field can have several values. `isSame` states whether the write leaves the
    /// field's stored value unchanged.
    private mutating func addElements(
        of newOrigin: Value?, replacing origin: Value?, _ isSame: Bool, _ item: Index, _ key: Key,
        _ record: borrowing RecordView, _ backend: any WriteBackend
    ) throws(DataStoreError) {
        let new = ids(of: newOrigin, item, key)
        let old = isSame ? new : ids(of: origin, item, key)
        let (oldSet, newSet) = (Set(old), Set(new))
        let changed = new.filter { id in
            !oldSet.contains(id) || !isSame && needsCheck(item, Index.isOverflow(id))
        }
        for id in item.isCovering ? new : changed { store(id, item) }
        try item.checkUnique(changed, of: key, record, in: ReadTransaction(backend))
        for id in old where !newSet.contains(id) { remove(id, item) }
    }

    private func ids(of origin: Value?, _ item: Index, _ key: Key) -> [[UInt8]] {
        item.entries(ofOrigin: origin, id: key.id)
    }

    /// Returns whether a changed value must be checked for uniqueness even if its index entry is unchanged. An overflow
    /// entry contains only a hash, so different values can have the same overflow entry.
    private func needsCheck(_ item: Index, _ isOverflow: Bool) -> Bool {
        item.isUnique && isOverflow
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
    private mutating func store(_ origin: Value?, _ item: Index, _ key: Key) -> Bool {
        var isOverflow = false
        append(item.keyPrefix) { bytes in
            isOverflow = item.appendEntry(of: origin, id: key.id, to: &bytes)
            return item.change(storing: isOverflow)
        }
        if isOverflow { noteOverflow(item) }
        return isOverflow
    }

    /// Adds a change that stores the entry with the id `id`.
    private mutating func store(_ id: [UInt8], _ item: Index) {
        let isOverflow = Index.isOverflow(id)
        append(item.keyPrefix) { bytes in
            bytes += id
            return item.change(storing: isOverflow)
        }
        if isOverflow { noteOverflow(item) }
    }

    /// Adds a change that removes the entry of a field with at most one value.
    private mutating func remove(_ origin: Value?, _ item: Index, _ key: Key) {
        append(item.keyPrefix) { bytes in
            _ = item.appendEntry(of: origin, id: key.id, to: &bytes)
            return .removed
        }
    }

    /// Adds a change that removes the entry with the id `id`.
    private mutating func remove(_ id: [UInt8], _ item: Index) {
        append(item.keyPrefix) { bytes in
            bytes += id
            return .removed
        }
    }

    private mutating func noteOverflow(_ item: Index) {
        if !item.state.hasOverflowEntries { firstOverflows.append(item.name) }
    }
}
