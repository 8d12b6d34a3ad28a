import DataStoreCore

/// Keeps the entries of indexes in step with the records that a transaction changes.
///
/// It is that of one transaction: a class, because queries change what is known here, and transactions are only borrowed by
/// them.
final class IndexMaintenance: IndexMaintaining {
    /// An index that the program knows and the store has.
    private struct Kept {
        let index: RecordIndex
        let state: IndexState
    }

    /// As many records are few: their index is made by the write that finds it missing.
    private static let few = 1000

    private var known: [(collection: String, indexes: [RecordIndex])] = []
    /// What the transaction has found, by the collections that it has changed so far.
    private var kept: [(collection: String, indexes: [Kept])] = []

    /// Takes note of indexes that the program knows.
    func know(_ indexes: [RecordIndex], of collection: String) {
        var names = known.filter { $0.collection.hasSameBytes(as: collection) }.flatMap(\.indexes).map(\.name)
        var new: [RecordIndex] = []
        for index in indexes where !names.contains(where: { $0.hasSameBytes(as: index.name) }) {
            names.append(index.name)
            new.append(index)
        }
        guard !new.isEmpty else { return }
        known.append((collection, new))
        forget(collection)
    }

    /// Forgets what was found of the indexes of a collection: a query may have made one, or made one anew.
    func forget(_ collection: String) { kept.removeAll { $0.collection.hasSameBytes(as: collection) } }

    /// Puts a record, and the entries that lead to it in place of those of the record that was there.
    func put(_ record: Record, for key: Key, in backend: any NativeWriteBackend) throws(DataStoreError) {
        let indexes = try indexes(of: key.collection, in: backend)
        if indexes.isEmpty { return try backend.put(record, for: key) }
        let changes = try changes(indexes, of: key, to: record, in: backend)
        try backend.put(record, for: key)
        try changes.apply(to: backend)
        if !changes.indexesWithFirstUnordered.isEmpty {
            try noteUnordered(changes.indexesWithFirstUnordered, of: key.collection, in: backend)
        }
    }

    /// Removes a record, and the entries that lead to it.
    ///
    /// - Returns: whether there was one.
    func remove(_ key: Key, in backend: any NativeWriteBackend) throws(DataStoreError) -> Bool {
        // Where there is none, nothing is made for it.
        guard try isThere(key, backend) else { return false }
        let indexes = try indexes(of: key.collection, in: backend)
        if indexes.isEmpty { return try backend.remove(key) }
        do throws(DataStoreError) {
            let changes = try changes(indexes, of: key, to: nil, in: backend)
            guard try backend.remove(key) else { return false }
            try changes.apply(to: backend)
            return true
        } catch {
            guard error.code == .corrupted else { throw error }
            // What leads to a damaged record cannot be told, and it should go all the same.
            guard try backend.remove(key) else { return false }
            try outdate(key.collection, in: backend)
            return true
        }
    }

    /// Removes the entries of outdated indexes of a collection that has no records any more: nothing is to stay of those.
    func didRemoveAll(of collection: String, in backend: any NativeWriteBackend) throws(DataStoreError) {
        let catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(native: backend))
        for entries in catalogue.outdatedEntries { _ = try backend.removeFirst(.max, of: entries) }
    }

    private func isThere(_ key: Key, _ backend: any NativeWriteBackend) throws(DataStoreError) -> Bool {
        do throws(DataStoreError) {
            return try backend.view(key) { _ in }
        } catch {
            if error.code == .corrupted { return true }
            throw error
        }
    }

    /// Marks all indexes of a collection as outdated.
    private func outdate(_ collection: String, in backend: any NativeWriteBackend) throws(DataStoreError) {
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(native: backend))
        catalogue.outdateAll()
        try catalogue.put(in: backend)
        forget(collection)
        kept.append((collection, []))
    }

    // MARK: Which indexes

    private func indexes(
        of collection: String, in backend: any NativeWriteBackend
    ) throws(DataStoreError) -> [Kept] {
        // A transaction changes few collections.
        for found in kept where found.collection.hasSameBytes(as: collection) { return found.indexes }
        let indexes = try findIndexes(of: collection, in: backend)
        kept.append((collection, indexes))
        return indexes
    }

    private func findIndexes(of collection: String, in backend: any NativeWriteBackend) throws(DataStoreError) -> [Kept]
    {
        let known = known.filter { $0.collection.hasSameBytes(as: collection) }.flatMap(\.indexes)
        // What is made when a query asks for it needs no care before, unless it has something to refuse.
        for index in known where index.isUnique { try backend.createIndexInMemory(index, of: collection) }
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(native: backend))
        if catalogue.isEmpty, known.isEmpty || backend.isInMemory { return [] }
        catalogue.outdateAll { name, state in
            !known.contains { $0.name.hasSameBytes(as: name) && state.isOf($0) }
        }
        let missing = backend.isInMemory ? [] : known.filter { catalogue[$0.name] == nil }
        if !missing.isEmpty {
            let isSmall = try isSmall(collection, backend)
            for index in missing {
                // So that the next write need not find out how many records there are.
                catalogue[index.name] = try .begun(index, in: backend)
                if isSmall { try build(index, of: collection, &catalogue, backend) }
            }
        }
        try catalogue.put(in: backend)
        return known.compactMap { index in
            catalogue[index.name].flatMap { $0.progress == .outdated ? nil : Kept(index: index, state: $0) }
        }
    }

    private func build(
        _ index: RecordIndex, of collection: String, _ catalogue: inout IndexCatalogue,
        _ backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        let builder = IndexBuilder(index, of: collection, in: backend)
        do throws(DataStoreError) {
            while try builder.step(&catalogue, count: Self.few) != .done {}
        } catch {
            guard error.code == .notUnique else { throw error }
            // To mend that is what this write may be for. Who asks for the index to be made is told.
            catalogue[index.name]?.progress = .outdated
        }
    }

    private func isSmall(_ collection: String, _ backend: any NativeWriteBackend) throws(DataStoreError) -> Bool {
        var count = 0
        try backend.scan(Scan(kept: collection, limit: Self.few + 1)) { _, _ in
            count += 1
            return .next
        }
        return count <= Self.few
    }

    /// Says that there are entries that are not in order from now on.
    private func noteUnordered(
        _ names: [String], of collection: String, in backend: any NativeWriteBackend
    ) throws(DataStoreError) {
        var catalogue = try IndexCatalogue(of: collection, in: ReadTransaction(native: backend))
        for name in names { catalogue[name]?.hasUnordered = true }
        try catalogue.put(in: backend)
        forget(collection)
    }

    // MARK: Which entries

    /// What changes in the entries with a record.
    private struct Changes {
        /// Entries, and what each holds.
        var put: [(key: Key, content: Record)] = []
        var removed: [Key] = []
        var indexesWithFirstUnordered: [String] = []

        func apply(to backend: any NativeWriteBackend) throws(DataStoreError) {
            for key in removed { _ = try backend.remove(key) }
            for (key, content) in put { try backend.put(content, for: key) }
        }
    }

    private func changes(
        _ indexes: [Kept], of key: Key, to record: Record?, in backend: any NativeWriteBackend
    ) throws(DataStoreError) -> Changes {
        let reading = ReadTransaction(native: backend)
        let old = try reading.view(of: key) { view throws(DataStoreError) in try origins(indexes, in: view, key) }
        let new = try record.map { record throws(DataStoreError) in try origins(indexes, in: RecordView(record), key) }
        var changes = Changes()
        for (place, kept) in indexes.enumerated() where kept.state.covers(key.id) {
            let (state, entries) = (kept.state, kept.state.entries)
            func ids(_ origins: [Value?]?) -> [String] {
                origins.map { IndexEntry.ids(of: $0[place], id: key.id, by: kept.index.field, in: entries) } ?? []
            }
            let isSame = if let old, let new { old[place] == new[place] } else { false }
            // Most saves change one field of several.
            if isSame, !state.isCovering { continue }
            let newIDs = ids(new)
            let oldIDs = isSame ? newIDs : ids(old)
            for entry in newIDs {
                if !oldIDs.contains(where: { $0.hasSameBytes(as: entry) }) {
                    try check(entry, of: key, record, kept, reading)
                    if IndexEntry.isUnordered(entry), !state.hasUnordered {
                        changes.indexesWithFirstUnordered.append(kept.index.name)
                    }
                } else if !state.isCovering {
                    continue
                }
                if let record {
                    changes.put.append((Key(kept: entry, in: entries), state.content(of: entry, record)))
                }
            }
            for entry in oldIDs where !newIDs.contains(where: { $0.hasSameBytes(as: entry) }) {
                changes.removed.append(Key(kept: entry, in: entries))
            }
        }
        return changes
    }

    /// Refuses a new entry whose value another record has, where only one may have it.
    private func check(
        _ entry: String, of key: Key, _ record: Record?, _ kept: Kept, _ reading: borrowing ReadTransaction
    ) throws(DataStoreError) {
        guard kept.state.isUnique else { return }
        let values = UniqueValues(of: kept.index, in: kept.state.entries, key.collection)
        try values.check(entry, of: key, record, reading)
    }

    /// What a record has of the field of each index.
    private func origins(
        _ indexes: [Kept], in record: borrowing RecordView, _ key: Key
    ) throws(DataStoreError) -> [Value?] {
        var origins: [Value?] = []
        origins.reserveCapacity(indexes.count)
        for kept in indexes { origins.append(try kept.index.field.origin(in: record, id: key.id)) }
        return origins
    }
}
