import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import DataStoreQueries

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

extension DataStore {
    /// Returns the store itself if its reads are synchronous. Otherwise copies one snapshot of all records and index
    /// definitions to a memory store, and returns the memory store.
    ///
    /// - Parameter checkCancellation: A closure that throws if the task is cancelled. It is called for every thousandth
    ///   record, beginning with the first.
    /// - Returns: The store itself or the copy in memory.
    /// - Throws: The error of `checkCancellation`, or `DataStoreError` if the store cannot be read.
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
