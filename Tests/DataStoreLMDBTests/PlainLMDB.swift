import CDataStoreLMDB
import Foundation

/// An environment that is accessed directly through liblmdb, as another program would, while no store has it open.
struct PlainLMDB {
    struct Failure: Error {
        let code: Int32
    }

    private let path: String

    init(_ path: String) throws { self.path = path }

    func get(_ key: [UInt8]) throws -> [UInt8]? {
        var found: [UInt8]?
        try unsafe transaction { transaction, database in
            unsafe key.withUnsafeBytes { key in
                var key = unsafe MDB_val(
                    mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
                var value = unsafe MDB_val()
                if unsafe mdb_get(transaction, database, &key, &value) == 0 {
                    found = unsafe Array(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
                }
            }
        }
        return found
    }

    func put(_ value: [UInt8], for key: [UInt8]) throws {
        try unsafe transaction { transaction, database in
            try unsafe key.withUnsafeBytes { key in
                try unsafe value.withUnsafeBytes { value in
                    var key = unsafe MDB_val(
                        mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
                    var value = unsafe MDB_val(
                        mv_size: value.count, mv_data: UnsafeMutableRawPointer(mutating: value.baseAddress))
                    try check(unsafe mdb_put(transaction, database, &key, &value, 0))
                }
            }
        }
    }

    private func transaction(_ body: (OpaquePointer?, MDB_dbi) throws -> Void) throws {
        var environment: OpaquePointer?
        try check(unsafe mdb_env_create(&environment))
        defer { unsafe mdb_env_close(environment) }
        try check(unsafe mdb_env_set_mapsize(environment, 1 << 30))
        try check(unsafe mdb_env_open(environment, path, 0, 0o600))
        var transaction: OpaquePointer?
        try check(unsafe mdb_txn_begin(environment, nil, 0, &transaction))
        var database = MDB_dbi()
        try check(unsafe mdb_dbi_open(transaction, nil, 0, &database))
        try unsafe body(transaction, database)
        try check(unsafe mdb_txn_commit(transaction))
    }

    private func check(_ code: Int32) throws {
        if code != 0 { throw Failure(code: code) }
    }
}
