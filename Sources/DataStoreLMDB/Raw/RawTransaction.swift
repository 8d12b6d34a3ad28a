import CDataStoreLMDB
import DataStoreCore

/// A liblmdb transaction, with the calls that ``Reader`` and ``Writer`` use.
///
/// - Safety: `@safe` if only one thread at a time uses it, and no thread uses it after its end. ``Reader`` and
///   ``Writer`` ensure both. A span is valid only in the closure that receives it.
@safe
struct RawTransaction {
    let pointer: OpaquePointer
    private let database: MDB_dbi
    /// The memory map of the data file, for a read transaction that verifies page numbers. Otherwise `nil`.
    var map: MapRegion?

    init(pointer: OpaquePointer, database: MDB_dbi) {
        unsafe self.pointer = unsafe pointer
        self.database = database
    }

    // MARK: Beginning and ending

    /// Begins a read again, after ``reset()``.
    func renew() throws(DataStoreError) {
        for _ in 0..<RawEnvironment.attemptCount {
            try LMDBError.check(unsafe mdb_txn_renew(pointer), "begin a read")
            if hasMetaPage { return }
            reset()
        }
        throw DataStoreError.damaged("a meta page of data.mdb does not belong to the last commit")
            .adding(operation: "begin a read")
    }

    /// Whether the meta page still belongs to the transaction of this read. If not, the read must begin again.
    /// Always `true` if ``map`` is `nil`.
    var hasMetaPage: Bool { map?.hasMetaPage(of: number) ?? true }

    func reset() { unsafe mdb_txn_reset(pointer) }

    func abort() { unsafe mdb_txn_abort(pointer) }

    /// The number of a write transaction, or of the transaction whose state a read transaction sees. `mdb_env_info`
    /// would report a higher number while a commit is being flushed.
    var number: UInt64 { UInt64(unsafe mdb_txn_id(pointer)) }

    /// Commits and ends the transaction. The transaction also ends if the commit fails, and must not be aborted
    /// afterwards.
    func commit() throws(DataStoreError) {
        try LMDBError.check(unsafe mdb_txn_commit(pointer), "commit")
    }

    // MARK: Bytes

    /// Returns the value of a key, or `nil` if the key does not exist. The value points into the map and is valid until
    /// the transaction writes or ends.
    @inline(__always)
    func value(of key: Span<UInt8>) throws(DataStoreError) -> MDB_val? {
        var value = unsafe MDB_val()
        let code = unsafe key.withUnsafeBufferPointer { buffer in
            // LMDB only reads the key.
            var key = unsafe MDB_val(buffer)
            return unsafe mdb_get(pointer, database, &key, &value)
        }
        if code == MDB_NOTFOUND { return nil }
        try LMDBError.check(code, "read a record")
        if let map, unsafe !map.isOnItsPage(value) {
            throw DataStoreError.damaged("a page of data.mdb has a wrong number").adding(operation: "read a record")
        }
        return unsafe value
    }

    /// Removes a key and its value.
    ///
    /// - Returns: Whether the key existed.
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

    /// Returns the number of keys, including the key of the format version.
    func count() throws(DataStoreError) -> Int {
        var statistics = MDB_stat()
        try LMDBError.check(unsafe mdb_stat(pointer, database, &statistics), "count records")
        return Int(statistics.ms_entries)
    }

    /// Stores a value under a key.
    func put(_ value: Span<UInt8>, for key: Span<UInt8>) throws(DataStoreError) {
        try cursor().put(value, for: key)
    }

    /// Opens a cursor, which must be destroyed before the transaction ends.
    func cursor() throws(DataStoreError) -> Cursor {
        var cursor: OpaquePointer?
        try LMDBError.check(unsafe mdb_cursor_open(pointer, database, &cursor), "scan records")
        guard let cursor = unsafe cursor else {
            throw DataStoreError(.inputOutput, "liblmdb returned no cursor", operation: "scan records")
        }
        return unsafe Cursor(cursor, in: map)
    }
}
