import DataStoreCore
import DataStoreSystem

extension Environment {
    /// Returns statistics of the environment. The caller ensures that the memory map does not change during the call.
    func statistics() throws(DataStoreError) -> PageStatistics {
        let raw = map.raw
        let transactions = raw.readTransactions()
        let (transaction, snapshot) = try raw.beginSnapshot(of: pageFile())
        defer { transaction.abort() }
        return try PageStatistics(
            of: snapshot, byteCount: Int(files.data.status().size), mapByteCount: raw.mapByteCount(),
            reads: transactions)
    }
}

extension PageStatistics {
    /// Creates the statistics of a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: The state after the last transaction.
    ///   - byteCount: The size of the data file.
    ///   - mapByteCount: The size of the memory map.
    ///   - reads: The transactions whose states running reads see.
    /// - Throws: `DataStoreError` with the code `corrupted` if the free list is damaged.
    init(of snapshot: Snapshot, byteCount: Int, mapByteCount: Int, reads: [UInt64]) throws(DataStoreError) {
        var walk = SnapshotWalk(snapshot, verifiesRecords: false)
        walk.runFreeList()
        if let finding = walk.findings.first { throw DataStoreError.damaged("\(finding)") }
        self.init(
            // One record contains the format version of the store and is not counted.
            recordCount: Int(snapshot.meta.records.entryCount) - 1, byteCount: byteCount,
            pageByteCount: snapshot.file.pageSize, pageCount: Int(snapshot.meta.lastPage) + 1,
            freePageCount: walk.free.count, mapByteCount: mapByteCount,
            lastTransaction: UInt64(snapshot.meta.transaction), readCount: reads.count,
            oldestReadTransaction: reads.min())
    }
}
