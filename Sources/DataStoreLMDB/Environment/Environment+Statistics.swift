import DataStoreCore
import DataStoreFiles

extension Environment {
    /// Returns statistics of the environment. The caller ensures that the memory map does not change during the call.
    func statistics() throws(DataStoreError) -> LMDBDataStore.Statistics {
        let raw = map.raw
        let transactions = raw.readTransactions()
        let (transaction, snapshot) = try raw.beginSnapshot(of: pageFile())
        defer { transaction.abort() }
        var walk = SnapshotWalk(snapshot, verifiesRecords: false)
        walk.runFreeList()
        if let finding = walk.findings.first {
            throw DataStoreError.damaged("\(finding)")
        }
        let extent = try raw.extent()
        return LMDBDataStore.Statistics(
            // One record contains the format version of the store and is not counted.
            recordCount: try transaction.count() &- 1,
            byteCount: Int(try files.data.status().size),
            pageByteCount: extent.pageSize,
            pageCount: extent.pageCount,
            freePageCount: walk.free.count,
            mapByteCount: try raw.mapByteCount(),
            lastTransaction: transaction.number,
            readCount: transactions.count,
            oldestReadTransaction: transactions.min())
    }
}
