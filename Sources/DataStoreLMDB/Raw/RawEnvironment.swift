import CDataStoreLMDB
import DataStoreCore
import DataStoreFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The environment of liblmdb with its one database.
///
/// - Safety: `@unchecked Sendable` because liblmdb allows any thread to use an environment. `@safe` as long as nobody
///   uses it after ``close()``; ``Environment`` sees to that.
@safe
struct RawEnvironment: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The unnamed database: a named one would cost each transaction a look-up of its root.
    private let database: MDB_dbi

    /// Opens the environment in a directory that exists.
    init(path: String, mapByteCount: Int) throws(DataStoreError) {
        var created: OpaquePointer?
        try LMDBError.check(unsafe mdb_env_create(&created), RawEnvironment.opening)
        guard let pointer = unsafe created else { throw LMDBError(code: ENOMEM).mapped(RawEnvironment.opening) }
        do throws(DataStoreError) {
            try LMDBError.check(
                unsafe mdb_env_set_mapsize(pointer, RawEnvironment.mappable(mapByteCount)), RawEnvironment.opening)
            try LMDBError.check(
                unsafe mdb_env_set_maxreaders(pointer, RawEnvironment.readerCount), RawEnvironment.opening)
            // Without MDB_NOTLS a thread could have only one read, and a reader would belong to its thread.
            try LMDBError.check(
                unsafe mdb_env_open(pointer, path, UInt32(MDB_NOTLS), 0o600), RawEnvironment.opening)
            var transaction: OpaquePointer?
            try LMDBError.check(
                unsafe mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &transaction), RawEnvironment.opening)
            defer { unsafe mdb_txn_abort(transaction) }
            var database = MDB_dbi()
            try LMDBError.check(unsafe mdb_dbi_open(transaction, nil, 0, &database), RawEnvironment.opening)
            unsafe self.pointer = unsafe pointer
            self.database = database
        } catch {
            // An environment that could not be opened is closed as well.
            unsafe mdb_env_close(pointer)
            throw error
        }
    }

    private static let opening = "open the store"

    /// Returns which data file is open.
    func dataFileID() throws(DataStoreError) -> FileID {
        var descriptor: Int32 = -1
        try LMDBError.check(unsafe mdb_env_get_fd(pointer, &descriptor), RawEnvironment.opening)
        return try FileStatus.of(descriptor: descriptor).id
    }

    /// How many reads there can be at once, in all processes.
    private static let readerCount: UInt32 = 1024

    /// The size of a lock file: a cache line for each reader, and two before them (`MDB_txninfo` in `mdb.c`).
    static let lockFileByteCount = 64 * (Int(readerCount) + 2)

    /// Closes the environment; every transaction must have ended.
    func close() { unsafe mdb_env_close(pointer) }

    /// Frees the slots of readers whose process was killed: they keep old pages from being used again.
    ///
    /// - Returns: how many there were.
    func clearDeadReaders() -> Int {
        var count: Int32 = 0
        // It fails where a process cannot be asked for; the slots are then left to the next time.
        return unsafe mdb_reader_check(pointer, &count) == MDB_SUCCESS ? Int(count) : 0
    }

    /// Decides whether a commit flushes its meta page, too. Only the writer may, and not while it writes.
    func setFlushesMeta(_ flushes: Bool) { unsafe mdb_env_set_flags(pointer, UInt32(MDB_NOMETASYNC), flushes ? 0 : 1) }

    /// Flushes what was committed.
    func sync() { unsafe mdb_env_sync(pointer, 1) }

    /// Writes what is in the environment to a file, one snapshot and without its free pages.
    func copy(to descriptor: Int32) throws(DataStoreError) {
        try LMDBError.check(unsafe mdb_env_copyfd2(pointer, descriptor, UInt32(MDB_CP_COMPACT)), "copy the store")
    }

    // MARK: The map

    /// How large the map is.
    func mapByteCount() throws(DataStoreError) -> Int { unsafe Int(clamping: try information().me_mapsize) }

    /// Maps the file anew, at another place and larger. No transaction may be under way in this process.
    func setMapByteCount(_ byteCount: Int) throws(DataStoreError) {
        try LMDBError.check(unsafe mdb_env_set_mapsize(pointer, byteCount), "make the map larger")
    }

    /// Whether there is address space for a map. One that could not be made would leave the environment without any.
    static func canMap(byteCount: Int) -> Bool {
        // Nothing is read or written there, and it is given back at once.
        let address = unsafe mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | anonymous, -1, 0)
        guard unsafe address != MAP_FAILED else { return false }
        unsafe munmap(address, byteCount)
        return true
    }

    /// A size that there is address space for: the one that is asked for, or a half of it, and so on.
    private static func mappable(_ byteCount: Int) -> Int {
        var byteCount = byteCount
        while byteCount > 1 << 20, !canMap(byteCount: byteCount) { byteCount /= 2 }
        return byteCount
    }

    #if canImport(Darwin)
    private static let anonymous = MAP_ANON
    #else
    private static let anonymous = MAP_ANONYMOUS | MAP_NORESERVE
    #endif

    /// The size of a page, and how many pages the data file has according to its meta page.
    func extent() throws(DataStoreError) -> (pageSize: Int, pageCount: Int) {
        var statistics = MDB_stat()
        try LMDBError.check(unsafe mdb_env_stat(pointer, &statistics), RawEnvironment.opening)
        return (Int(statistics.ms_psize), unsafe try information().me_last_pgno + 1)
    }

    /// The number of the last transaction, of whichever process.
    func lastTransaction() throws(DataStoreError) -> UInt64 { UInt64(unsafe try information().me_last_txnid) }

    private func information() throws(DataStoreError) -> MDB_envinfo {
        var information = unsafe MDB_envinfo()
        try LMDBError.check(unsafe mdb_env_info(pointer, &information), "look at the environment")
        return unsafe information
    }

    /// Begins a transaction.
    func begin(readOnly: Bool) throws(DataStoreError) -> RawTransaction {
        var transaction: OpaquePointer?
        let flags = readOnly ? UInt32(MDB_RDONLY) : 0
        let code = unsafe mdb_txn_begin(pointer, nil, flags, &transaction)
        let operation = readOnly ? "begin a read" : "begin a write"
        try LMDBError.check(code, operation)
        guard let transaction = unsafe transaction else { throw LMDBError(code: ENOMEM).mapped(operation) }
        return unsafe RawTransaction(pointer: transaction, database: database)
    }
}
