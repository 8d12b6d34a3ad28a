import DataStoreCore

extension LMDBDataStore {
    /// The size and the usage of a store.
    package struct Statistics: Sendable, Hashable {
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
        /// The size of the memory map in bytes. If the data outgrows the map, the store maps the file again with a
        /// larger size.
        package let mapByteCount: Int
        /// The number of the last committed transaction.
        package let lastTransaction: UInt64
        /// The number of running reads in all processes, excluding the read that collects the statistics.
        package let readCount: Int
        /// The number of the transaction whose state the oldest running read sees, or `nil` if no read is running.
        /// Pages that were freed since then cannot be reused yet.
        package let oldestReadTransaction: UInt64?
    }

    /// Collects statistics of the store.
    ///
    /// - Returns: The statistics, or `nil` if nothing has been saved yet.
    /// - Throws: `DataStoreError` if the store is closed or cannot be read.
    package func statistics() throws -> Statistics? {
        do {
            try readers.beginUse()
            defer { readers.endUse() }
            switch try openedForReading() {
            case nil: return nil
            case .readOnly(let store): return try store.statistics()
            case .environment(let environment):
                try environment.checkFiles()
                return try readers.withMap(of: environment) { () throws(DataStoreError) in
                    try environment.statistics()
                }
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "inspect the store", path: path)
        }
    }
}
