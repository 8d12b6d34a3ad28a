import DataStoreLMDB
public import DataStoreQueries

/// A description of a store: its file, its format, its record counts and its indexes.
public struct StoreInfo: Sendable, Hashable {
    /// The page statistics of an LMDB store.
    package struct Pages: Sendable, Hashable {
        /// The size of a page in bytes.
        package let byteCount: Int
        /// The number of pages in the data file.
        package let count: Int
        /// The number of free pages, which later writes reuse.
        package let freeCount: Int
        /// The size of the memory map in bytes. If the data file outgrows the memory map, the store enlarges the memory
        /// map.
        package let mapByteCount: Int
        /// The number of the last committed transaction.
        package let lastTransaction: UInt64
        /// The number of running read transactions in all processes.
        package let readCount: Int
        /// The number of the transaction whose state the oldest running read sees, or `nil` if no read is running.
        package let oldestReadTransaction: UInt64?

        init(_ statistics: LMDBDataStore.Statistics) {
            byteCount = statistics.pageByteCount
            count = statistics.pageCount
            freeCount = statistics.freePageCount
            mapByteCount = statistics.mapByteCount
            lastTransaction = statistics.lastTransaction
            readCount = statistics.readCount
            oldestReadTransaction = statistics.oldestReadTransaction
        }
    }

    /// The location of the store.
    package let location: StorageLocation
    /// The path of the file that contains the records, or `nil` if the kind of store has no such file.
    public let file: String?
    /// The size in bytes of the file that contains the records, or `nil` if the kind of store has no such file.
    public let fileByteCount: Int?
    /// A short description of the store's file format.
    public let format: String
    /// The number of records in each collection, by the name of the collection. Empty collections are absent.
    public let recordCounts: [String: Int]
    /// The indexes of the store, including indexes that other programs declared. Their entries are not counted.
    public let indexes: [StoredIndex]
    /// The page statistics, or `nil` if the kind of store has no pages.
    package let pages: Pages?
}
