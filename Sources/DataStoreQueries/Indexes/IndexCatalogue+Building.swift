extension IndexCatalogue {
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
        // The check of an overflow entry and the content of a covering entry need the record.
        let needsRecord = index.isUnique || index.isCovering
        let operation = "build the index \(index.name) of \(collection)"
        let last = try ReadTransaction(backend).forEach(of: collection, after: last, limit: count, operation) {
            key, view throws(DataStoreError) in
            let entries = try index.validEntries(of: view, id: key.id)
            let record = needsRecord ? try view.record() : Record()
            found.append((key, entries, record))
            return isInMemory ? 0 : entries.reduce(try record.validatedByteCount()) { $0 + $1.count }
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
        state.progress = last.map { .through($0) } ?? .ready
    }
}

extension ReadTransaction {
    /// The total size of a step, in bytes, at which it ends early. It limits memory use.
    private static let maximumByteCount = 8 << 20

    /// Passes the records of one step through a collection to a closure, which returns the number of bytes that it
    /// keeps.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - id: The id after which the step begins. It is empty for the first step.
    ///   - limit: The maximum number of records, or `nil` for no limit.
    ///   - operation: The operation that an error of the closure names, with the key of the record.
    ///   - body: The closure.
    /// - Returns: The id of the last record, or `nil` if no others follow.
    /// - Throws: The error of the closure, or `DataStoreError` if the store cannot be read.
    func forEach(
        of collection: String, after id: String, limit: Int?, _ operation: String = "read a record",
        _ body: (Key, borrowing RecordView) throws(DataStoreError) -> Int
    ) throws(DataStoreError) -> String? {
        var (count, byteCount) = (0, 0)
        var last: String?
        try scan(Scan(stored: collection, ids: .after(id), limit: limit)) { key, view throws(DataStoreError) in
            do throws(DataStoreError) {
                byteCount += try body(key, view)
            } catch {
                throw error.adding(operation: operation, key: key)
            }
            count += 1
            guard count == limit || byteCount >= Self.maximumByteCount else { return .next }
            last = key.id
            return .stop
        }
        return last
    }
}
