import CDataStoreLMDB
import DataStoreCore

/// A transaction of liblmdb: the calls that ``Reader`` and ``Writer`` are made of.
///
/// - Safety: `@safe` as long as nobody uses it after it has ended, and only one thread at a time; its two owners see to
///   that. Nothing it answers points into the map.
@safe
struct RawTransaction {
    fileprivate let pointer: OpaquePointer
    fileprivate let database: MDB_dbi

    init(pointer: OpaquePointer, database: MDB_dbi) {
        unsafe self.pointer = unsafe pointer
        self.database = database
    }

    // MARK: Beginning and ending

    /// The number of the transaction whose state it sees.
    var number: UInt { UInt(unsafe mdb_txn_id(pointer)) }

    func renew() throws(DataStoreError) {
        try LMDBError.check(unsafe mdb_txn_renew(pointer), "begin a read")
    }

    func reset() { unsafe mdb_txn_reset(pointer) }

    func abort() { unsafe mdb_txn_abort(pointer) }

    /// Ends the transaction, also where it fails: it must not be aborted afterwards.
    func commit() throws(DataStoreError) {
        try LMDBError.check(unsafe mdb_txn_commit(pointer), "commit")
    }

    // MARK: Bytes

    /// Shows the value of a key to a closure, where there is one.
    ///
    /// - Returns: what the closure returned, or nil.
    func get<Result>(_ key: Span<UInt8>, _ body: (Span<UInt8>) -> Result) throws(DataStoreError) -> Result? {
        var value = unsafe MDB_val()
        let code = unsafe key.withUnsafeBufferPointer { buffer in
            // LMDB only reads the key.
            var key = unsafe MDB_val(buffer)
            return unsafe mdb_get(pointer, database, &key, &value)
        }
        if code == MDB_NOTFOUND { return nil }
        try LMDBError.check(code, "read a record")
        // The value points into the map and stays there for as long as the transaction, which outlives this call.
        return unsafe body(UnsafeBufferPointer(value).span)
    }

    /// Puts a value under a key. `check` is shown the value that is there already, and may refuse to have it replaced.
    func put(
        _ value: Span<UInt8>, for key: Span<UInt8>,
        over check: (Span<UInt8>) -> Result<Void, DataStoreError> = { _ in .success(()) }
    ) throws(DataStoreError) {
        let (code, checked) = unsafe key.withUnsafeBufferPointer { key in
            unsafe value.withUnsafeBufferPointer { value -> (Int32, Result<Void, DataStoreError>) in
                // LMDB copies both before a call returns, but answers with the value that is there where it has one: it
                // points into the map, which nothing changes before the next call.
                var keyValue = unsafe MDB_val(key)
                var found = unsafe MDB_val(value)
                let code = unsafe mdb_put(pointer, database, &keyValue, &found, UInt32(MDB_NOOVERWRITE))
                guard code == MDB_KEYEXIST else { return (code, .success(())) }
                let checked = unsafe check(UnsafeBufferPointer(found).span)
                guard case .success = checked else { return (MDB_SUCCESS, checked) }
                unsafe found = MDB_val(value)
                return (unsafe mdb_put(pointer, database, &keyValue, &found, 0), checked)
            }
        }
        try checked.get()
        try LMDBError.check(code, "save a record")
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

    /// Makes a cursor. It must be gone before the transaction ends.
    func cursor() throws(DataStoreError) -> Cursor {
        var cursor: OpaquePointer?
        try LMDBError.check(unsafe mdb_cursor_open(pointer, database, &cursor), "scan records")
        guard let cursor = unsafe cursor else {
            throw DataStoreError(.inputOutput, "liblmdb gave no cursor", operation: "scan records")
        }
        return unsafe Cursor(cursor)
    }
}
