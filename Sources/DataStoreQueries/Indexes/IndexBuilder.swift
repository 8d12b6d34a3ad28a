import DataStoreCore

/// Makes the entries of an index for records that are there, step by step.
struct IndexBuilder {
    /// What is left to do.
    enum Outcome {
        case more
        case done
    }

    private let index: RecordIndex
    private let collection: String
    private let backend: any NativeWriteBackend

    init(_ index: RecordIndex, of collection: String, in backend: any NativeWriteBackend) {
        self.index = index
        self.collection = collection
        self.backend = backend
    }

    /// Does one step, after which everything is as it should be, whatever comes next.
    ///
    /// - Parameters:
    ///   - catalogue: what the store says; the step changes it.
    ///   - count: how many records or entries to look at.
    /// - Returns: whether it was the last one.
    /// - Throws: `DataStoreError`, e.g. with the code `notUnique`.
    func step(_ catalogue: inout IndexCatalogue, count: Int) throws(DataStoreError) -> Outcome {
        guard var state = catalogue[index.name] else {
            catalogue[index.name] = try .begun(index, in: backend)
            return .more
        }
        if !state.isOf(index) { state.progress = .outdated }
        switch state.progress {
        case .outdated:
            let isEmpty = try Self.removeEntries(of: state, count: count, in: backend)
            if isEmpty {
                state.version = index.version
                state.become(index)
                state.progress = .through("")
            }
        case .through(let last): try addEntries(of: &state, after: last, count: count)
        case .ready:
            // Entries that are there say nothing of it: they are made anew, and looked at one by one.
            if !state.isAll(index) { state.become(index) }
        }
        catalogue[index.name] = state
        return state.progress == .ready ? .done : .more
    }

    /// Removes entries, so many at most.
    ///
    /// - Parameters:
    ///   - state: of which index.
    ///   - count: how many.
    ///   - backend: where they are.
    /// - Returns: whether there are none left.
    /// - Throws: `DataStoreError`.
    static func removeEntries(
        of state: IndexState, count: Int, in backend: any NativeWriteBackend
    ) throws(DataStoreError) -> Bool {
        try backend.removeFirst(count, of: state.entries) < count
    }

    /// Goes on with the records after an id.
    private func addEntries(of state: inout IndexState, after last: String, count: Int) throws(DataStoreError) {
        let reading = ReadTransaction(native: backend)
        let ids: IDRange = last.isEmpty ? .all : .after(last)
        var found: [(key: Key, entries: [String], record: Record)] = []
        var failure: DataStoreError?
        // Where a value may be there once, and has no room in an entry, it is looked for in the record.
        let isRecordWanted = state.isUnique || state.isCovering
        let collectionOfEntries = state.entries
        try backend.scan(Scan(kept: collection, ids: ids, limit: count)) { key, view in
            do throws(DataStoreError) {
                let entries = try IndexEntry.ids(of: view, id: key.id, by: index.field, in: collectionOfEntries)
                found.append((key, entries, isRecordWanted ? try view.record() : Record()))
                return .next
            } catch {
                failure = error.adding(operation: "make the index \(index.name)", key: key)
                return .stop
            }
        }
        if let failure { throw failure }
        let unique = UniqueValues(of: index, in: state.entries, collection)
        for (key, entries, record) in found {
            for entry in entries {
                do throws(DataStoreError) {
                    if state.isUnique { try unique.check(entry, of: key, record, reading) }
                } catch {
                    throw error.adding(operation: "make the index \(index.name)", key: key)
                }
                try backend.put(state.content(of: entry, record), for: Key(kept: entry, in: state.entries))
                state.hasUnordered = state.hasUnordered || IndexEntry.isUnordered(entry)
            }
        }
        if found.count == count, let last = found.last?.key.id {
            state.progress = .through(last)
        } else {
            state.progress = .ready
        }
    }
}

extension IndexState {
    /// The state of an index that has no entries yet.
    static func begun(_ index: RecordIndex, in backend: any NativeWriteBackend) throws(DataStoreError) -> IndexState {
        IndexState(
            entries: try newEntries(in: backend), version: index.version, isUnique: index.isUnique,
            isCovering: index.isCovering, progress: .through(""))
    }
}
