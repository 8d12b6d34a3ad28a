import DataStoreCore
import DataStoreFiles

extension Environment {
    /// Returns statistics of the environment. The map must not change meanwhile.
    func statistics() throws(DataStoreError) -> LMDBDataStore.Statistics {
        let raw = map.raw
        let transactions = raw.readTransactions()
        let transaction = try map.beginRead()
        defer { transaction.abort() }
        let extent = try raw.extent()
        return LMDBDataStore.Statistics(
            // One record is the store's own: its format version.
            recordCount: try transaction.count() - 1,
            byteCount: Int(try files.data.status().size),
            pageByteCount: extent.pageSize,
            pageCount: extent.pageCount,
            freePageCount: try transaction.freePageCount(),
            mapByteCount: try raw.mapByteCount(),
            lastTransaction: transaction.number,
            readCount: transactions.count,
            oldestReadTransaction: transactions.min())
    }
}
