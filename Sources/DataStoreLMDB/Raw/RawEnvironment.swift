import CDataStoreLMDB
import DataStoreSystem

/// A liblmdb environment with its only database.
///
/// - Safety: `@unchecked Sendable` because liblmdb allows any thread to use an environment. `@safe` if it is not used
///   after ``close()``, which ``Environment`` ensures.
@safe
struct RawEnvironment: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The unnamed database. A named database would require each transaction to look up its root.
    private let database: MDB_dbi

    /// Creates an environment in an empty file, without a lock file. The caller syncs the file.
    init(creating file: String, mapByteCount: Int) throws(DataStoreError) {
        try self.init(path: file, mapByteCount: mapByteCount, flags: MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC)
    }

    /// Opens the environment in an existing directory.
    init(path: String, mapByteCount: Int, flags: Int32 = 0) throws(DataStoreError) {
        func check(_ code: Int32) throws(DataStoreError) { try LMDBError.check(code, RawEnvironment.opening) }
        var created: OpaquePointer?
        try check(unsafe mdb_env_create(&created))
        guard let pointer = unsafe created else { throw LMDBError(code: ENOMEM).mapped(RawEnvironment.opening) }
        do throws(DataStoreError) {
            try check(unsafe mdb_env_set_mapsize(pointer, RawEnvironment.mappable(mapByteCount)))
            try check(unsafe mdb_env_set_maxreaders(pointer, RawEnvironment.readerCount))
            // Without `MDB_NOTLS`, a thread could have only one read transaction, and a reader slot would belong to its
            // thread.
            try check(unsafe mdb_env_open(pointer, path, UInt32(MDB_NOTLS | flags), 0o600))
            var transaction: OpaquePointer?
            try check(unsafe mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &transaction))
            defer { unsafe mdb_txn_abort(transaction) }
            var database = MDB_dbi()
            try check(unsafe mdb_dbi_open(transaction, nil, 0, &database))
            unsafe self.pointer = unsafe pointer
            self.database = database
        } catch {
            // liblmdb requires that an environment is closed even if opening it failed.
            unsafe mdb_env_close(pointer)
            throw error
        }
    }

    private static let opening = "open the store"

    /// Returns the identity of the open data file.
    func dataFileID() throws(DataStoreError) -> FileID {
        var descriptor: Int32 = -1
        try LMDBError.check(unsafe mdb_env_get_fd(pointer, &descriptor), RawEnvironment.opening)
        return try FileStatus.of(descriptor: descriptor).id
    }

    /// The maximum number of concurrent reads in all processes.
    private static let readerCount: UInt32 = 1024

    /// The size of the lock file in bytes: two cache lines of 64 bytes, and one cache line for each reader
    /// (`MDB_txninfo` in `mdb.c`).
    static let lockFileByteCount = 64 * (Int(readerCount) + 2)

    /// Closes the environment. All transactions must have ended.
    func close() { unsafe mdb_env_close(pointer) }

    /// Frees the reader slots of killed processes. Such slots keep old pages from being reused.
    ///
    /// - Returns: The number of freed slots.
    func clearDeadReaders() -> Int {
        var count: Int32 = 0
        // The call fails if it cannot query a process. A later call frees the remaining slots.
        return unsafe mdb_reader_check(pointer, &count) == MDB_SUCCESS ? Int(count) : 0
    }

    /// Sets whether a commit also flushes its meta page. Only the writer thread may call this function, and not during
    /// a transaction.
    func setFlushesMeta(_ flushes: Bool) { unsafe mdb_env_set_flags(pointer, UInt32(MDB_NOMETASYNC), flushes ? 0 : 1) }

    /// Flushes all committed transactions.
    func sync() { unsafe mdb_env_sync(pointer, 1) }

    // MARK: The map

    /// Returns the size of the memory map in bytes.
    func mapByteCount() throws(DataStoreError) -> Int { unsafe Int(clamping: try information().me_mapsize) }

    /// Returns the address of the memory map, computed from the page of the first record. Throws `DataStoreError` with
    /// the code `corrupted` if the environment has no records.
    func mapRegion(pageSize: Int) throws(DataStoreError) -> MapRegion {
        let transaction = try begin(readOnly: true)
        defer { transaction.abort() }
        // The pages that lead to the first record were verified when the store was opened.
        var cursor = try transaction.cursor()
        guard try cursor.move(isReversed: false) else {
            throw DataStoreError.damaged("the record of its format is missing")
                .adding(operation: RawEnvironment.opening)
        }
        return try cursor.withEntry { key, _ in
            unsafe key.withUnsafeBufferPointer { unsafe MapRegion(entry: MDB_val($0), pageSize: pageSize) }
        }
    }

    /// Returns whether the address space has room for a memory map.
    private static func canMap(byteCount: Int) -> Bool {
        // The mapping is never accessed, and is removed at once.
        let address = unsafe mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | anonymous, -1, 0)
        guard unsafe address != MAP_FAILED else { return false }
        unsafe munmap(address, byteCount)
        return true
    }

    /// Returns a size for which the address space has room: the requested size, halved as often as necessary. As much
    /// room stays free, because threads need room for their stacks.
    private static func mappable(_ byteCount: Int) -> Int {
        var byteCount = byteCount
        while byteCount > 1 << 20, !canMap(byteCount: byteCount > .max / 2 ? byteCount : 2 * byteCount) {
            byteCount /= 2
        }
        return byteCount
    }

    #if canImport(Darwin)
    private static let anonymous = MAP_ANON
    #else
    private static let anonymous = MAP_ANONYMOUS | MAP_NORESERVE
    #endif

    /// Returns the number of the last transaction of any process.
    func lastTransaction() throws(DataStoreError) -> UInt64 { UInt64(unsafe try information().me_last_txnid) }

    private func information() throws(DataStoreError) -> MDB_envinfo {
        var information = unsafe MDB_envinfo()
        try LMDBError.check(unsafe mdb_env_info(pointer, &information), "query the environment")
        return unsafe information
    }

    /// Begins a read or write transaction.
    func begin(readOnly: Bool) throws(DataStoreError) -> RawTransaction {
        var transaction: OpaquePointer?
        let flags = readOnly ? UInt32(MDB_RDONLY) : 0
        let code = unsafe mdb_txn_begin(pointer, nil, flags, &transaction)
        let operation = readOnly ? "begin a read" : "begin a write"
        try LMDBError.check(code, operation)
        guard let transaction = unsafe transaction else { throw LMDBError(code: ENOMEM).mapped(operation) }
        return unsafe RawTransaction(pointer: transaction, database: database)
    }

    /// Runs a closure on the pages of the last transaction, and returns its result or its error. The pages do not
    /// change while the closure runs.
    func read<Value, Failure>(
        _ file: PageFile, _ body: (Snapshot) throws(Failure) -> Value
    ) throws(DataStoreError) -> Result<Value, Failure> {
        let transaction = try begin(readOnly: true)
        defer { transaction.abort() }
        let snapshot = try transaction.snapshot(of: file)
        return Result { () throws(Failure) in try body(snapshot) }
    }

    /// The maximum number of attempts to read a snapshot. An attempt fails if two transactions are committed after the
    /// read transaction has begun and before its meta page is read, because the second one overwrites this page.
    static let attemptCount = 1000

    /// Returns the numbers of the transactions that running reads see, in all processes.
    func readTransactions() -> [UInt64] {
        var transactions: [UInt64] = []
        // `mdb_reader_list` passes the reader table as lines of text: process, thread, and transaction or a dash. The
        // array is valid during the call.
        _ = unsafe withUnsafeMutablePointer(to: &transactions) { context in
            unsafe mdb_reader_list(
                pointer,
                { line, context in
                    guard let line = unsafe line, let context = unsafe context else { return 0 }
                    let words = unsafe String(cString: line).split { $0 == " " || $0 == "\n" }
                    let transaction = words.last.flatMap { UInt64($0) }
                    if let transaction {
                        unsafe context.assumingMemoryBound(to: [UInt64].self).pointee.append(transaction)
                    }
                    return 0
                }, context)
        }
        return transactions
    }
}
