/// The result of salvaging or recovering a damaged store.
public struct RecoveryReport: Sendable {
    /// The number of intact records that salvaging has copied to the target, or that the recovered store contains.
    public let savedCount: Int

    /// One sentence for each part of the store that is damaged or lost, and for each record that salvaging did not copy
    /// because the target has another record with the same key.
    public let losses: [String]

    /// The path at which recovery has kept the damaged file, or `nil` if the store was not changed.
    public let damagedFile: String?

    /// Creates a report.
    public init(savedCount: Int, losses: [String], damagedFile: String? = nil) {
        self.savedCount = savedCount
        self.losses = losses
        self.damagedFile = damagedFile
    }
}

/// The page statistics of a store whose data file consists of pages.
public struct PageStatistics: Sendable, Hashable {
    /// The number of records in all collections.
    package let recordCount: Int
    /// The size of the data file in bytes.
    package let byteCount: Int
    /// The size of a page in bytes.
    package let pageByteCount: Int
    /// The number of pages in the data file, including free pages.
    package let pageCount: Int
    /// The number of free pages, which later writes reuse.
    package let freePageCount: Int
    /// The size of the memory map in bytes. If the data outgrows the map, the store maps the file again with a larger
    /// size.
    package let mapByteCount: Int
    /// The number of the last committed transaction.
    package let lastTransaction: UInt64
    /// The number of running reads in all processes, excluding the read that collects the statistics.
    package let readCount: Int
    /// The number of the transaction whose state the oldest running read sees, or `nil` if no read is running. Pages
    /// that were freed since then cannot be reused yet.
    package let oldestReadTransaction: UInt64?

    /// Creates statistics. Each parameter sets the property with the same name.
    package init(
        recordCount: Int, byteCount: Int, pageByteCount: Int, pageCount: Int, freePageCount: Int, mapByteCount: Int,
        lastTransaction: UInt64, readCount: Int, oldestReadTransaction: UInt64?
    ) {
        self.recordCount = recordCount
        self.byteCount = byteCount
        self.pageByteCount = pageByteCount
        self.pageCount = pageCount
        self.freePageCount = freePageCount
        self.mapByteCount = mapByteCount
        self.lastTransaction = lastTransaction
        self.readCount = readCount
        self.oldestReadTransaction = oldestReadTransaction
    }
}
