import CLMDB

/// The limit: liblmdb's own calls on the same data, with one read transaction that is renewed for each read.
final class BareLMDB {
    private var environment: OpaquePointer?
    private var transaction: OpaquePointer?
    private var database = MDB_dbi()
    /// Where values are copied to: the map must not be read after the transaction.
    private let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)

    private static let prefix = Array("users\0".utf8)

    init(path: String) throws {
        try check(mdb_env_create(&environment))
        try check(mdb_env_set_mapsize(environment, 64 << 30))
        try check(mdb_env_open(environment, path, UInt32(MDB_NOTLS), 0o600))
        try check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
        try check(mdb_dbi_open(transaction, nil, 0, &database))
        mdb_txn_reset(transaction)
    }

    deinit {
        mdb_txn_abort(transaction)
        mdb_env_close(environment)
        copy.deallocate()
    }

    /// Reads what is kept under an id in a renewed transaction and shows a copy of it. As for the library, what is given
    /// is the id; the key is collection, NUL and id.
    func read(_ id: String, _ body: (UnsafeRawBufferPointer) -> Void) throws {
        try check(mdb_txn_renew(transaction))
        defer { mdb_txn_reset(transaction) }
        try withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { key in
            key.copyBytes(from: Self.prefix)
            var id = id
            let count = id.withUTF8 { id in
                key[Self.prefix.count...].copyBytes(from: id)
                return Self.prefix.count + id.count
            }
            var key = MDB_val(mv_size: count, mv_data: key.baseAddress)
            var value = MDB_val()
            try check(mdb_get(transaction, database, &key, &value))
            let bytes = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
            guard bytes.count <= copy.count else { throw Failure(message: "a value is too long to be copied") }
            copy.copyMemory(from: bytes)
            body(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count]))
        }
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Failure(message: String(cString: mdb_strerror(code))) }
    }
}

/// Why a benchmark cannot go on.
struct Failure: Error {
    let message: String
}
