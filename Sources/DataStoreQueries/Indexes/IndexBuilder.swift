import DataStoreCore

/// A builder that creates the entries of one index for the stored records, in steps.
struct IndexBuilder {
    /// The total size of records and entries, in bytes, at which a step ends early. It limits memory use.
    private static let maximumByteCount = 8 << 20

    let field: QueryField
    let collection: String
    let backend: any WriteBackend

    /// Processes the next records. The index is consistent after each step, so a crash loses only the current step. A
    /// step ends early if the records are large, unless the store keeps its records in memory.
    ///
    /// - Parameters:
    ///   - state: The state of the index. The step changes it, and the caller stores it.
    ///   - count: The maximum number of records to process. If the index is invalid, the maximum number of its old
    ///     entries to remove.
    /// - Throws: `DataStoreError`, e.g. with the code `notUnique` if two records have the same value. The caller must
    ///   then abort the transaction or mark the index as invalid.
    func step(_ state: inout IndexState, count: Int) throws(DataStoreError) {
        switch state.progress {
        case .invalid:
            guard try backend.removeFirst(count, of: state.entries) < count else { return }
            state.progress = .through("")
        case .through(let last):
            try addEntries(to: &state, after: last, count: count)
            if state.isReady, state.uniqueness == .pending { state.uniqueness = .enforced }
        case .ready: break
        }
    }

    /// Builds the whole index in the current transaction.
    func build(_ state: inout IndexState) throws(DataStoreError) {
        while !state.isReady { try step(&state, count: .max) }
    }

    private func addEntries(to state: inout IndexState, after last: String, count: Int) throws(DataStoreError) {
        let reading = ReadTransaction(backend)
        var found: [(key: Key, entries: [[UInt8]], record: Record)] = []
        var failure: DataStoreError?
        let isInMemory = backend.isInMemory
        var byteCount = 0
        var isLast = true
        // The check of an overflow entry and the content of a covering entry need the record.
        let needsRecord = state.isUnique || state.isCovering
        let entriesCollection = state.entries
        let scan = Scan(stored: collection, ids: last.isEmpty ? .all : .after(last), limit: count)
        try backend.scan(scan) { key, view in
            do throws(DataStoreError) {
                let entries = try IndexEntry.ids(of: view, id: key.id, by: field, in: entriesCollection)
                let record = needsRecord ? try view.record() : Record()
                found.append((key, entries, record))
                if isInMemory { return .next }
                byteCount += entries.reduce(try record.validatedByteCount()) { $0 + $1.count }
                guard byteCount < Self.maximumByteCount else {
                    isLast = false
                    return .stop
                }
                return .next
            } catch {
                failure = adding(error, key)
                return .stop
            }
        }
        if let failure { throw failure }
        var changes = IndexEntryChanges()
        let keyPrefix = state.keyPrefix
        for (key, entries, record) in found {
            var unique = UniqueValues(of: field, in: state.entries, key, record)
            for entry in entries {
                do throws(DataStoreError) {
                    if state.isUnique { try unique.check(entry, reading) }
                } catch {
                    throw adding(error, key)
                }
                let isOverflow = IndexEntry.isOverflow(entry)
                changes.removeAll()
                changes.append(keyPrefix) { bytes in
                    bytes += entry
                    return state.change(storing: isOverflow)
                }
                try backend.replace(record, for: nil, changes)
                state.hasOverflowEntries = state.hasOverflowEntries || isOverflow
            }
        }
        if let last = found.last?.key.id, !isLast || found.count == count {
            state.progress = .through(last)
        } else {
            state.progress = .ready
        }
    }

    private func adding(_ error: DataStoreError, _ key: Key) -> DataStoreError {
        error.adding(operation: "build the index \(field.name) of \(collection)", key: key)
    }
}
