import CDataStoreLMDB
import DataStoreCore

/// A transaction of liblmdb: the calls that ``Reader`` and ``Writer`` are made of.
///
/// - Safety: `@safe` as long as nobody uses it after it has ended, and only one thread at a time; its two owners see to
///   that. Nothing it answers points into the map.
@safe
struct RawTransaction {
    let pointer: OpaquePointer
    private let database: MDB_dbi

    init(pointer: OpaquePointer, database: MDB_dbi) {
        unsafe self.pointer = unsafe pointer
        self.database = database
    }

    // MARK: Beginning and ending

    func renew() throws(DataStoreError) {
        try LMDBError.check(unsafe mdb_txn_renew(pointer), "begin a read")
    }

    func reset() { unsafe mdb_txn_reset(pointer) }

    func abort() { unsafe mdb_txn_abort(pointer) }

    /// The number of a write transaction, or of the one whose state a read sees. (What `mdb_env_info` answers with runs
    /// ahead of that while a commit is flushed.)
    var number: UInt64 { UInt64(unsafe mdb_txn_id(pointer)) }

    /// Ends the transaction, also where it fails: it must not be aborted afterwards.
    func commit() throws(DataStoreError) {
        try LMDBError.check(unsafe mdb_txn_commit(pointer), "commit")
    }

    // MARK: Bytes

    /// Shows the value of a key to a closure, where there is one.
    ///
    /// - Returns: what the closure returned, or nil.
    @inline(__always)
    func get<Result>(
        _ key: Span<UInt8>, _ body: (Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result? {
        var value = unsafe MDB_val()
        let code = unsafe key.withUnsafeBufferPointer { buffer in
            // LMDB only reads the key.
            var key = unsafe MDB_val(buffer)
            return unsafe mdb_get(pointer, database, &key, &value)
        }
        if code == MDB_NOTFOUND { return nil }
        try LMDBError.check(code, "read a record")
        // The value points into the map and stays there for as long as the transaction, which outlives this call.
        return try body(unsafe UnsafeBufferPointer(value).span)
    }

    /// - Returns: whether the key was there.
    func remove(_ key: Span<UInt8>) throws(DataStoreError) -> Bool {
        let code = unsafe key.withUnsafeBufferPointer { buffer in
            // LMDB only reads the key.
            var key = unsafe MDB_val(buffer)
            return unsafe mdb_del(pointer, database, &key, nil)
        }
        if code == MDB_NOTFOUND { return false }
        try LMDBError.check(code, "remove a record")
        return true
    }

    /// How many keys there are, the store's own included.
    func count() throws(DataStoreError) -> Int {
        var statistics = MDB_stat()
        try LMDBError.check(unsafe mdb_stat(pointer, database, &statistics), "count records")
        return Int(statistics.ms_entries)
    }

    /// Puts a value under a key.
    func put(_ value: Span<UInt8>, for key: Span<UInt8>) throws(DataStoreError) {
        try cursor().put(value, for: key)
    }

    /// Makes a cursor in the records, or in another database. It must be gone before the transaction ends.
    func cursor(in other: MDB_dbi? = nil) throws(DataStoreError) -> Cursor {
        var cursor: OpaquePointer?
        try LMDBError.check(unsafe mdb_cursor_open(pointer, other ?? database, &cursor), "scan records")
        guard let cursor = unsafe cursor else {
            throw DataStoreError(.inputOutput, "liblmdb gave no cursor", operation: "scan records")
        }
        return unsafe Cursor(cursor)
    }
}
