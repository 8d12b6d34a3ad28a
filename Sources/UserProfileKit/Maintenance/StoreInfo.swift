import DataStoreLMDB
public import DataStoreQueries

/// The size and the contents of a store.
public struct StoreInfo: Sendable, Hashable {
    /// The page statistics of a store.
    package struct Pages: Sendable, Hashable {
        /// The size of a page in bytes.
        package let byteCount: Int
        /// The number of pages.
        package let count: Int
        /// The number of free pages, which the next writes use.
        package let freeCount: Int
        /// The size in bytes that the file may reach before it is mapped again.
        package let mapByteCount: Int
        /// The number of the last transaction.
        package let lastTransaction: UInt64
        /// The number of running reads, in all processes.
        package let readCount: Int
        /// The transaction that the oldest running read sees, or `nil` if no read is running.
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
    /// The path of the file that holds the records, or `nil` if the kind of store has no such file.
    public let file: String?
    /// The size of the file in bytes, or `nil` if there is no file.
    public let fileByteCount: Int?
    /// A description of the store's format.
    public let format: String
    /// The number of records of each collection that has any.
    public let recordCounts: [String: Int]
    /// The indexes that the store has, whichever program declared them. Their entries are not counted.
    public let indexes: [StoredIndex]
    /// The statistics of pages, or `nil` if the kind of store has no pages.
    package let pages: Pages?
}
