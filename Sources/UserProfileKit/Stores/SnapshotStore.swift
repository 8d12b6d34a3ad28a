import DataStoreCore
import DataStoreLMDB
import DataStoreMemory
import DataStorePlist
import DataStoreQueries

/// A store that reads synchronously, so that a write to another store can read it.
protocol SnapshotStore: DataStore {
    /// Runs a closure on one snapshot of the store.
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}

extension LMDBDataStore: SnapshotStore {
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try read(body)
    }
}

extension PlistDataStore: SnapshotStore {
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try read(body)
    }
}

extension MemoryDataStore: SnapshotStore {
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try read(body)
    }
}

extension DataStore {
    /// Returns the store if it reads synchronously. Otherwise returns one snapshot of all its records and index
    /// definitions in memory.
    ///
    /// - Parameter checkCancellation: Called before the first record and then every thousand records; an error that it
    ///   throws is rethrown.
    /// - Returns: The store or its records.
    /// - Throws: What `checkCancellation` throws; `DataStoreError`.
    func readableSynchronously(_ checkCancellation: @Sendable () throws -> Void) async throws -> any SnapshotStore {
        if let store = self as? any SnapshotStore { return store }
        let (entries, definitions) = try await read { transaction in
            var entries: [Entry] = []
            for name in try transaction.collections() {
                try transaction.forEach(in: Scan(name)) { key, record in
                    if entries.count.isMultiple(of: 1000) { try checkCancellation() }
                    entries.append(Entry(key: key, record: record))
                    return .next
                }
            }
            return (entries, try transaction.indexDefinitions())
        }
        let store = MemoryDataStore()
        try await store.write { transaction in
            for entry in entries { try transaction.put(entry.record, for: entry.key) }
            try transaction.declareIndexes(definitions)
        }
        return store
    }
}
