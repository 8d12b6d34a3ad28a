import CDataStoreLMDB
import DataStoreCore

/// A position among the keys of a transaction.
///
/// - Safety: `@safe` as long as it is gone before its transaction ends: it is either local to a function or let go of
///   by ``Writer`` before the end. Spans are shown to closures and point into the map only there, where nothing is
///   changed.
@safe
struct Cursor: ~Copyable {
    /// Where to go from an entry.
    enum Move { case next, previous }

    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe mdb_cursor_close(pointer) }

    /// Goes to the first entry whose key is not before some bytes, and shows it.
    ///
    /// - Returns: what the closure returned, or nil where there is no such entry.
    func first<Result>(
        from bytes: Span<UInt8>, _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) -> Result
    ) throws(DataStoreError) -> Result? {
        var (key, value) = unsafe (MDB_val(), MDB_val())
        return unsafe try show(seek(bytes, &key, &value), key, value, body)
    }

    /// Goes to the last entry whose key is before some bytes, and shows it.
    ///
    /// - Returns: what the closure returned, or nil where there is no such entry.
    func last<Result>(
        before bytes: Span<UInt8>, _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) -> Result
    ) throws(DataStoreError) -> Result? {
        var (key, value) = unsafe (MDB_val(), MDB_val())
        // The one before the first that is not before; where there is none, the very last.
        let code =
            switch unsafe seek(bytes, &key, &value) {
            case MDB_SUCCESS: unsafe mdb_cursor_get(pointer, &key, &value, MDB_PREV)
            case MDB_NOTFOUND: unsafe mdb_cursor_get(pointer, &key, &value, MDB_LAST)
            case let failure: failure
            }
        return unsafe try show(code, key, value, body)
    }

    /// Goes on to another entry and shows it.
    ///
    /// - Returns: what the closure returned, or nil where there is no such entry.
    func go<Result>(
        _ move: Move, _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) -> Result
    ) throws(DataStoreError) -> Result? {
        var (key, value) = unsafe (MDB_val(), MDB_val())
        let code = unsafe mdb_cursor_get(pointer, &key, &value, move == .next ? MDB_NEXT : MDB_PREV)
        return unsafe try show(code, key, value, body)
    }

    /// Shows what LMDB answered with, where it found something.
    @inline(__always)
    private func show<Result>(
        _ code: Int32, _ key: MDB_val, _ value: MDB_val,
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) -> Result
    ) throws(DataStoreError) -> Result? {
        if code == MDB_NOTFOUND { return nil }
        try LMDBError.check(code, "scan records")
        return unsafe body(UnsafeBufferPointer(key).span, UnsafeBufferPointer(value).span)
    }

    /// Puts a value under a key. `check` is shown the value that is there already, and may refuse to have it replaced.
    ///
    /// One cursor for many puts finds the place of a key that is near the last one without starting at the root.
    func put(
        _ value: Span<UInt8>, for key: Span<UInt8>, over check: (Span<UInt8>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try unsafe key.withUnsafeBufferPointer { key throws(DataStoreError) in
            try unsafe value.withUnsafeBufferPointer { value throws(DataStoreError) in
                // LMDB copies both before a call returns, but answers with the value that is there where it has one: it
                // points into the map, which nothing changes before the next call.
                var keyValue = unsafe MDB_val(key)
                var found = unsafe MDB_val(value)
                var code = unsafe mdb_cursor_put(pointer, &keyValue, &found, UInt32(MDB_NOOVERWRITE))
                if code == MDB_KEYEXIST {
                    try check(unsafe UnsafeBufferPointer(found).span)
                    unsafe found = MDB_val(value)
                    code = unsafe mdb_cursor_put(pointer, &keyValue, &found, 0)
                }
                try LMDBError.check(code, "save a record")
            }
        }
    }

    /// Puts a value under a key, whatever value it has.
    func put(_ value: Span<UInt8>, for key: Span<UInt8>) throws(DataStoreError) {
        try unsafe key.withUnsafeBufferPointer { key throws(DataStoreError) in
            try unsafe value.withUnsafeBufferPointer { value throws(DataStoreError) in
                // LMDB copies both before the call returns.
                var (key, value) = unsafe (MDB_val(key), MDB_val(value))
                try LMDBError.check(unsafe mdb_cursor_put(pointer, &key, &value, 0), "save a record")
            }
        }
    }

    private func seek(_ bytes: Span<UInt8>, _ key: inout MDB_val, _ value: inout MDB_val) -> Int32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            // LMDB reads the bytes during the call, and then points the key into the map.
            unsafe key = MDB_val(buffer)
            return unsafe mdb_cursor_get(pointer, &key, &value, MDB_SET_RANGE)
        }
    }
}
