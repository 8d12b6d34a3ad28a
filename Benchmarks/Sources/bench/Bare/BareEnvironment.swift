import CLMDB

/// An LMDB environment that is accessed by direct calls of liblmdb, as in a C program.
final class BareEnvironment: @unchecked Sendable {
    let pointer: OpaquePointer
    let database: MDB_dbi

    /// Opens the environment in an existing directory.
    convenience init(path: String) throws { try self.init(path: path, isNew: false) }

    /// Creates an environment in an empty directory.
    convenience init(newAt path: String) throws { try self.init(path: path, isNew: true) }

    private init(path: String, isNew: Bool) throws {
        var environment: OpaquePointer?
        try Self.check(mdb_env_create(&environment))
        guard let environment else { throw Failure("liblmdb returned no environment") }
        var database = MDB_dbi()
        do {
            try Self.check(mdb_env_set_mapsize(environment, 64 << 30))
            try Self.check(mdb_env_open(environment, path, UInt32(MDB_NOTLS), 0o600))
            var transaction: OpaquePointer?
            try Self.check(mdb_txn_begin(environment, nil, isNew ? 0 : UInt32(MDB_RDONLY), &transaction))
            defer { mdb_txn_abort(transaction) }
            try Self.check(mdb_dbi_open(transaction, nil, 0, &database))
        } catch {
            mdb_env_close(environment)
            throw error
        }
        pointer = environment
        self.database = database
    }

    deinit { mdb_env_close(pointer) }

    /// Writes entries, a fixed number in each transaction, and commits each transaction durably.
    func put(_ entries: some Sequence<EncodedEntry>, perTransaction count: Int) throws {
        var transaction: OpaquePointer?
        var waiting = 0
        for entry in entries {
            if waiting == 0 { try Self.check(mdb_txn_begin(pointer, nil, 0, &transaction)) }
            let code = entry.key.withUnsafeBytes { key in
                entry.value.withUnsafeBytes { value in
                    // LMDB only reads the key and the value.
                    var key = MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
                    var value = MDB_val(
                        mv_size: value.count, mv_data: UnsafeMutableRawPointer(mutating: value.baseAddress))
                    return mdb_put(transaction, database, &key, &value, 0)
                }
            }
            guard code == 0 else {
                mdb_txn_abort(transaction)
                return try Self.check(code)
            }
            waiting += 1
            if waiting == count {
                try Self.check(mdb_txn_commit(transaction))
                waiting = 0
            }
        }
        if waiting > 0 { try Self.check(mdb_txn_commit(transaction)) }
    }

    static func check(_ code: Int32) throws {
        guard code == 0 else { throw Failure("liblmdb: \(String(cString: mdb_strerror(code)))") }
    }
}
