import CDataStoreLMDB
import Synchronization

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

    /// Returns the pages that this read sees. If later commits have overwritten its meta page, renews the transaction,
    /// which then sees the last commit.
    func snapshot(of file: PageFile) throws(DataStoreError) -> Snapshot {
        for _ in 0..<RawEnvironment.attemptCount {
            if let snapshot = try file.snapshot(of: self) { return snapshot }
            reset()
            try renew()
        }
        throw PageFile.isChanging
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
    func commit() throws(DataStoreError) { try LMDBError.check(unsafe mdb_txn_commit(pointer), "commit") }

    // MARK: Bytes

    /// Returns the value of a key, or `nil` if the key does not exist. The value points into the map and is valid until
    /// the transaction writes or ends.
    @inline(__always)
    func value(of key: Span<UInt8>) throws(DataStoreError) -> MDB_val? {
        var value = unsafe MDB_val()
        let code = unsafe key.withValue { unsafe mdb_get(pointer, database, &$0, &value) }
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
        let code = unsafe key.withValue { unsafe mdb_del(pointer, database, &$0, nil) }
        if code == MDB_NOTFOUND { return false }
        try LMDBError.check(code, "remove a record")
        return true
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

extension Span<UInt8> {
    /// Passes the bytes to a call of LMDB, which only reads them, and not after it has returned.
    @inline(__always)
    func withValue(_ call: (inout MDB_val) -> Int32) -> Int32 {
        unsafe withUnsafeBufferPointer { buffer in
            var value = unsafe MDB_val(buffer)
            return unsafe call(&value)
        }
    }
}

extension MDB_val {
    /// Wraps bytes that liblmdb reads. The bytes must stay valid while liblmdb uses this value.
    init(_ buffer: UnsafeBufferPointer<UInt8>) {
        unsafe self.init(mv_size: buffer.count, mv_data: UnsafeMutableRawPointer(mutating: buffer.baseAddress))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Wraps bytes that LMDB returned. An empty value is recognized by its size, because its pointer may have any
    /// value.
    init(_ value: MDB_val) {
        let start = unsafe value.mv_data?.assumingMemoryBound(to: UInt8.self)
        unsafe self.init(start: start, count: start == nil ? 0 : value.mv_size)
    }
}

/// The address of a memory map. A reader uses it to compute the number of the page that contains an entry, and compares
/// the result with the number in the page.
///
/// Every page contains its own number. Without the comparison, a page that was overwritten by a copy of another page
/// would hide records without an error.
///
/// - Safety: `@safe` because it reads only meta pages, which every map contains, and the header of a page from which
///   liblmdb has just returned an entry.
@safe
struct MapRegion {
    private let start: UInt
    private let pageSize: UInt

    /// Computes the address of the map from the address of an entry. The number in the entry's page must be correct.
    init(entry: MDB_val, pageSize: Int) {
        self.pageSize = UInt(pageSize)
        let page = unsafe UInt(bitPattern: entry.mv_data) & ~(self.pageSize - 1)
        start = page &- MapRegion.number(at: page) &* self.pageSize
    }

    /// Returns whether the page that contains an entry has the number that matches its address.
    @inline(__always)
    func isOnItsPage(_ bytes: MDB_val) -> Bool {
        let page = unsafe UInt(bitPattern: bytes.mv_data) & ~(pageSize - 1)
        return page &- start == MapRegion.number(at: page) &* pageSize
    }

    /// Returns whether the meta page of a transaction has not been overwritten by a later commit. Call this function
    /// after liblmdb has begun a read and has read the roots of the trees from this page.
    ///
    /// Every second commit overwrites the same meta page. To begin a read, liblmdb first reads the number of the last
    /// transaction and then the roots. If the thread is suspended in between, two commits can overwrite the page, and
    /// liblmdb does not detect this. The read would see a commit that may not be durable yet, and the next read could
    /// see an older one.
    @inline(__always)
    func hasMetaPage(of transaction: UInt64) -> Bool {
        // The fence makes sure that the number in the page is read after the roots.
        atomicMemoryFence(ordering: .acquiring)
        let page = start &+ UInt(transaction & 1) &* pageSize
        let number = unsafe UnsafePointer<UInt>(bitPattern: page &+ UInt(Meta.transactionOffset))
        return unsafe number?.pointee == UInt(transaction)
    }

    @inline(__always)
    private static func number(at page: UInt) -> PageNumber {
        // A page begins with its number, and is aligned.
        unsafe UnsafePointer<PageNumber>(bitPattern: page)?.pointee ?? 0
    }
}
