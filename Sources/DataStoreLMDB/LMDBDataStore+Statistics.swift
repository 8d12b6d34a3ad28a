package import DataStoreCore

extension LMDBDataStore {
    /// How large a store is and how it is used.
    package struct Statistics: Sendable, Hashable {
        /// How many records there are, of all collections.
        package let recordCount: Int
        /// The size of the data file.
        package let byteCount: Int
        /// The size of a page.
        package let pageByteCount: Int
        /// How many pages of the data file are in use or were.
        package let pageCount: Int
        /// How many of these are free: the next saves use them.
        package let freePageCount: Int
        /// How far the data file may grow before it has to be mapped anew.
        package let mapByteCount: Int
        /// The number of the last transaction.
        package let lastTransaction: UInt64
        /// How many reads are under way, in all processes; the one that asked is not counted.
        package let readCount: Int
        /// The transaction that the oldest of them sees, or nil where there is none. Pages that were freed since then
        /// cannot be used again yet.
        package let oldestReadTransaction: UInt64?
    }

    /// Looks at the store.
    ///
    /// - Returns: what it found, or nil where nothing was saved yet.
    /// - Throws: `DataStoreError`.
    package func statistics() throws(DataStoreError) -> Statistics? {
        do throws(DataStoreError) {
            try readers.enter()
            defer { readers.leave() }
            guard let environment = try opened(create: false) else { return nil }
            try environment.checkFiles()
            return try readers.withMap(of: environment) { () throws(DataStoreError) in try environment.statistics() }
        } catch {
            throw error.adding(operation: "look at the store", path: path)
        }
    }
}
