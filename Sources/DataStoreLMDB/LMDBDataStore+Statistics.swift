package import DataStoreCore

extension LMDBDataStore {
    /// The size and the usage of a store.
    package struct Statistics: Sendable, Hashable {
        /// The number of records in all collections.
        package let recordCount: Int
        /// The size of the data file in bytes.
        package let byteCount: Int
        /// The size of a page in bytes.
        package let pageByteCount: Int
        /// The number of pages in the data file, including free ones.
        package let pageCount: Int
        /// The number of free pages, which the next writes reuse.
        package let freePageCount: Int
        /// The size of the map in bytes. The file is remapped if the data grow beyond it.
        package let mapByteCount: Int
        /// The number of the last transaction.
        package let lastTransaction: UInt64
        /// The number of active reads in all processes, excluding the one that collects the statistics.
        package let readCount: Int
        /// The transaction that the oldest active read sees, or `nil` if no read is active. Pages that were freed since
        /// then cannot be reused yet.
        package let oldestReadTransaction: UInt64?
    }

    /// Returns statistics of the store.
    ///
    /// - Returns: The statistics, or `nil` if nothing has been saved yet.
    /// - Throws: `DataStoreError`.
    package func statistics() throws(DataStoreError) -> Statistics? {
        do throws(DataStoreError) {
            try readers.beginUse()
            defer { readers.endUse() }
            guard let environment = try opened(create: false) else { return nil }
            try environment.checkFiles()
            return try readers.withMap(of: environment) { () throws(DataStoreError) in try environment.statistics() }
        } catch {
            throw error.adding(operation: "inspect the store", path: path)
        }
    }
}
