import CLMDB
import Foundation

/// The peer that reads by direct calls of liblmdb, in one transaction that is renewed for each read. Each thread needs
/// its own reader.
final class BareReader {
    private let environment: BareEnvironment
    private var transaction: OpaquePointer?
    /// The buffer for copies of values, because the map must not be read after the transaction.
    private let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

    /// The beginning of the keys of a collection.
    private let prefix: [UInt8]

    init(_ environment: BareEnvironment, collection: String = "users") throws {
        self.environment = environment
        prefix = Array(collection.utf8) + [0]
        try BareEnvironment.check(mdb_txn_begin(environment.pointer, nil, UInt32(MDB_RDONLY), &transaction))
        mdb_txn_reset(transaction)
    }

    deinit {
        mdb_txn_abort(transaction)
        copy.deallocate()
    }

    /// Renews the transaction, reads the value of an id and passes a copy of the value to `body`. The key consists of
    /// the collection, a NUL and the id.
    func read(_ id: String, _ body: (UnsafeRawBufferPointer) -> Void) throws {
        try BareEnvironment.check(mdb_txn_renew(transaction))
        defer { mdb_txn_reset(transaction) }
        try withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { key in
            key.copyBytes(from: prefix)
            var id = id
            let count = id.withUTF8 { id in
                key[prefix.count...].copyBytes(from: id)
                return prefix.count + id.count
            }
            var key = MDB_val(mv_size: count, mv_data: key.baseAddress)
            var value = MDB_val()
            try BareEnvironment.check(mdb_get(transaction, environment.database, &key, &value))
            let bytes = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
            guard bytes.count <= copy.count else { throw Failure("a value is too long to be copied") }
            copy.copyMemory(from: bytes)
            body(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count]))
        }
    }

    /// Reads each key and value of the collection in the map.
    ///
    /// - Returns: The number of records, and a sum that depends on all bytes.
    func scan() throws -> (count: Int, sum: Int) {
        var (count, sum) = (0, 0)
        try forEachRecord { key, value in
            count += 1
            sum &+= key.count + value.count + Int(value[0])
        }
        return (count, sum)
    }

    /// Passes each key and value of the collection to a closure.
    @inline(__always)
    func forEachRecord(_ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) throws {
        try prefix.withUnsafeBytes { prefix in
            try forEach(from: prefix) { key, value in
                guard key.count >= prefix.count, let start = key.baseAddress, let expected = prefix.baseAddress,
                    memcmp(start, expected, prefix.count) == 0
                else { return false }
                body(key, value)
                return true
            }
        }
    }

    /// Returns copies of all profiles in the order of their keys.
    func profiles() throws -> [EncodedEntry] { try entries().filter { $0.key.starts(with: prefix) } }

    /// Returns copies of all entries, including internal entries of the store.
    func entries() throws -> [EncodedEntry] {
        var entries: [EncodedEntry] = []
        try withUnsafeBytes(of: UInt8(0)) { first in
            try forEach(from: first) { key, value in
                entries.append(EncodedEntry(key: Array(key), value: Array(value)))
                return true
            }
        }
        return entries
    }

    /// Passes entries in the order of their keys to a closure until the closure returns `false`.
    @inline(__always)
    private func forEach(
        from first: UnsafeRawBufferPointer,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool
    ) throws {
        try BareEnvironment.check(mdb_txn_renew(transaction))
        defer { mdb_txn_reset(transaction) }
        var cursor: OpaquePointer?
        try BareEnvironment.check(mdb_cursor_open(transaction, environment.database, &cursor))
        defer { mdb_cursor_close(cursor) }
        // LMDB only reads the bytes, and then points the key into the map.
        var key = MDB_val(mv_size: first.count, mv_data: UnsafeMutableRawPointer(mutating: first.baseAddress))
        var value = MDB_val()
        var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
        while code == 0 {
            guard
                body(
                    UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
                    UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
            else { return }
            code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
        }
        if code != MDB_NOTFOUND { try BareEnvironment.check(code) }
    }
}
