import CDataStoreLMDB
import DataStoreCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The environment of liblmdb with its one database.
///
/// - Safety: `@unchecked Sendable` because liblmdb allows any thread to use an environment. `@safe` as long as nobody uses
///   it after ``close()``; ``Environment`` sees to that.
@safe
struct RawEnvironment: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// The unnamed database: a named one would cost each transaction a look-up of its root.
    private let database: MDB_dbi

    /// Opens the environment in a directory that exists.
    init(path: String, maximumByteCount: Int) throws(DataStoreError) {
        var created: OpaquePointer?
        try LMDBError.check(unsafe mdb_env_create(&created), RawEnvironment.opening)
        guard let pointer = unsafe created else { throw LMDBError(code: ENOMEM).mapped(RawEnvironment.opening) }
        do throws(DataStoreError) {
            try LMDBError.check(unsafe mdb_env_set_mapsize(pointer, maximumByteCount), RawEnvironment.opening)
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

    /// How many reads there can be at once, in all processes.
    private static let readerCount: UInt32 = 1024

    /// The size of a lock file: a cache line for each reader, and two before them (`MDB_txninfo` in `mdb.c`).
    static let lockFileByteCount = 64 * (Int(readerCount) + 2)

    /// Closes the environment; every transaction must have ended.
    func close() { unsafe mdb_env_close(pointer) }

    /// Frees the slots of readers whose process was killed: they keep old pages from being used again.
    func clearDeadReaders() { unsafe mdb_reader_check(pointer, nil) }

    /// The number of the last transaction that was committed, by whichever process.
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
        var code = unsafe mdb_txn_begin(pointer, nil, flags, &transaction)
        if code == MDB_READERS_FULL {
            clearDeadReaders()
            code = unsafe mdb_txn_begin(pointer, nil, flags, &transaction)
        }
        let operation = readOnly ? "begin a read" : "begin a write"
        try LMDBError.check(code, operation)
        guard let transaction = unsafe transaction else { throw LMDBError(code: ENOMEM).mapped(operation) }
        return unsafe RawTransaction(pointer: transaction, database: database)
    }
}
