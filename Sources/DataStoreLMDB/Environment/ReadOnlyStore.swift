import DataStoreSystem

/// The files of a store that is open for reading.
protocol OpenedStore: Sendable {
    /// Checks every page and every record in the state after the last transaction.
    func check(_ cancellation: Cancellation) throws -> LMDBDataStore.CheckReport

    /// Returns statistics of the pages.
    func statistics() throws -> PageStatistics

    /// Runs a closure on the pages of the last transaction, and returns its result or its error.
    func read<Value, Failure>(
        _ body: (Snapshot) throws(Failure) -> Value
    ) throws(DataStoreError) -> Result<Value, Failure>
}

/// A store on a read-only file system. Its pages are read without liblmdb, because a reader of liblmdb writes to the
/// lock file.
///
/// Another process may write to the store through another mount, and this process cannot keep it from reusing pages.
/// Each page is therefore validated after it has been read. If it may have been reused, the read is repeated.
struct ReadOnlyStore: OpenedStore {
    private let pages: PageFile
    private let timeout: Duration

    /// Opens the data file of the store at a path.
    init(_ path: String, timeout: Duration) throws(DataStoreError) {
        guard let data = try Environment.directory(at: path)?.open(StoreFiles.dataName) else {
            throw StoreFiles.replaced
        }
        self.timeout = timeout
        pages = try PageFile(data)
    }

    /// Runs a closure on the pages of the last transaction, and returns its result or its error. If a page was reused
    /// meanwhile, the closure runs again.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if pages were reused in each run until the time limit, or with
    ///   another code if the store cannot be opened.
    func read<Value, Failure>(
        _ body: (Snapshot) throws(Failure) -> Value
    ) throws(DataStoreError) -> Result<Value, Failure> {
        let deadline = ContinuousClock.now + timeout
        repeat {
            let snapshot = try pages.lastSnapshot()
            let result = Result { () throws(DataStoreError) in
                guard try snapshot.isStore() else {
                    throw DataStoreError.notAStore("data.mdb belongs to another program")
                }
                return Result { () throws(Failure) in try body(snapshot) }
            }
            if try snapshot.isUnchanged() { return try result.get() }
        } while ContinuousClock.now < deadline
        throw PageFile.isChanging
    }

    /// Returns the number of the last transaction.
    func lastTransaction() throws(DataStoreError) -> UInt { try pages.settledMetas().newest?.transaction ?? 0 }

    func check(_ cancellation: Cancellation) throws -> LMDBDataStore.CheckReport { try pages.check(cancellation) }

    /// Returns statistics of the store. Reads of other processes are not counted.
    func statistics() throws -> PageStatistics {
        try read { try PageStatistics(of: $0, mapByteCount: Int($0.meta.mapSize), reads: []) }.get()
    }
}
