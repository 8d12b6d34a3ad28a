import DataStoreCore

extension IndexCatalogue {
    /// The total size of records and entries, in bytes, at which a step ends early. It limits memory use.
    private static let maximumByteCount = 8 << 20

    /// Builds an index in the current transaction, or processes its next records. Does nothing if the index is
    /// complete.
    ///
    /// The index is consistent after each step, so a crash loses only the current step. A step ends early if the
    /// records are large, unless the store keeps its records in memory.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - count: The maximum number of records to process, and of old entries to remove if the index is invalid, or
    ///     `nil` to build the whole index.
    ///   - backend: The transaction.
    /// - Throws: `DataStoreError`, e.g. with the code `notUnique` if two records have the same value. The caller must
    ///   then abort the transaction or mark the index as invalid.
    mutating func build(
        _ index: Index, count: Int? = nil, in backend: any WriteBackend
    ) throws(DataStoreError) {
        var state = index.state
        let stepCount = count ?? .max
        // If the step has removed the last old entries, the same commit also adds new ones.
        if state.isInvalid, try backend.removeFirst(stepCount, of: state.entriesCollection) < stepCount {
            state.progress = .through("")
        }
        while case .through(let last) = state.progress {
            try addEntries(of: index, &state, after: last, count: stepCount, backend)
            if state.isReady, state.uniqueness == .pending { state.uniqueness = .enforced }
            if count != nil { break }
        }
        self[index.name] = state
    }

    private func addEntries(
        of index: Index, _ state: inout IndexState, after last: String, count: Int, _ backend: any WriteBackend
    ) throws(DataStoreError) {
        var found: [(key: Key, entries: [[UInt8]], record: Record)] = []
        let isInMemory = backend.isInMemory
        var byteCount = 0
        var isLast = true
        // The check of an overflow entry and the content of a covering entry need the record.
        let needsRecord = index.isUnique || index.isCovering
        let scan = Scan(stored: collection, ids: last.isEmpty ? .all : .after(last), limit: count)
        let operation = "build the index \(index.name) of \(collection)"
        try ReadTransaction(backend).scan(scan) { key, view throws(DataStoreError) in
            try DataStoreError.adding(operation, key) { () throws(DataStoreError) in
                let entries = try index.validEntries(of: view, id: key.id)
                let record = needsRecord ? try view.record() : Record()
                found.append((key, entries, record))
                if isInMemory { return .next }
                byteCount += entries.reduce(try record.validatedByteCount()) { $0 + $1.count }
                isLast = byteCount < Self.maximumByteCount
                return isLast ? .next : .stop
            }
        }
        var changes = IndexEntryChanges()
        for (key, entries, record) in found {
            try DataStoreError.adding(operation, key) { () throws(DataStoreError) in
                try index.checkUnique(entries, of: key, RecordView(record), in: ReadTransaction(backend))
            }
            for entry in entries {
                changes.removeAll()
                try changes.store(entry, index)
                try backend.replace(RecordView(record), for: nil, changes)
                if !changes.firstOverflows.isEmpty { state.hasOverflowEntries = true }
            }
        }
        if let last = found.last?.key.id, !isLast || found.count == count {
            state.progress = .through(last)
        } else {
            state.progress = .ready
        }
    }
}
