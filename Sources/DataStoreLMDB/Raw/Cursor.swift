import CDataStoreLMDB
import RecordFraming

/// A cursor of a liblmdb transaction.
///
/// - Safety: `@safe` if it is destroyed before its transaction ends. It is either local to a function, or the
///   ``Reader`` or ``Writer`` that keeps it destroys it before the end. Spans are valid only in the closure that
///   receives them: they point into the map, which does not change while the closure runs.
@safe
struct Cursor: EntryCursor, ~Copyable {
    private let pointer: OpaquePointer
    /// The memory map, or `nil` if the cursor does not verify page numbers. In a write transaction, the map is `nil`,
    /// because some pages are outside the map.
    private let map: MapRegion?
    // The current entry, if the last move found one.
    private var key = unsafe MDB_val()
    private var value = unsafe MDB_val()

    init(_ pointer: OpaquePointer, in map: MapRegion?) {
        unsafe self.pointer = unsafe pointer
        self.map = map
    }

    deinit { unsafe mdb_cursor_close(pointer) }

    /// Prepares the cursor for another read, after its transaction was reset and renewed.
    consuming func renewed(in transaction: RawTransaction) throws(DataStoreError) -> Cursor {
        try LMDBError.check(unsafe mdb_cursor_renew(transaction.pointer, pointer), "scan records")
        return self
    }

    mutating func moveToFirst(from bytes: Span<UInt8>) throws(DataStoreError) -> Bool { try isFound(seek(bytes)) }

    mutating func moveToLast(before bytes: Span<UInt8>) throws(DataStoreError) -> Bool {
        // The cursor is at the first entry that is not before the bytes, so it moves back by one. If there is no such
        // entry, it moves to the last entry.
        let code =
            switch seek(bytes) {
            case MDB_SUCCESS: unsafe mdb_cursor_get(pointer, &key, &value, MDB_PREV)
            case MDB_NOTFOUND: unsafe mdb_cursor_get(pointer, &key, &value, MDB_LAST)
            case let failure: failure
            }
        return try isFound(code)
    }

    @inline(__always)
    mutating func move(isReversed: Bool) throws(DataStoreError) -> Bool {
        let last = unsafe key
        let code = unsafe mdb_cursor_get(pointer, &key, &value, isReversed ? MDB_PREV : MDB_NEXT)
        guard try isFound(code) else { return false }
        // If a branch page referred to a wrong child, entries would be repeated or missing.
        if unsafe last.mv_data != nil {
            let (lower, upper) = unsafe isReversed ? (key, last) : (last, key)
            guard unsafe UnsafeBufferPointer(lower).span.precedes(UnsafeBufferPointer(upper).span) else {
                throw Self.outOfOrder
            }
        }
        return true
    }

    @inline(__always)
    func withEntry<Result>(
        _ body: (_ key: Span<UInt8>, _ value: Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        unsafe try body(UnsafeBufferPointer(key).span, UnsafeBufferPointer(value).span)
    }

    /// Returns whether LMDB found an entry.
    @inline(__always)
    private func isFound(_ code: Int32) throws(DataStoreError) -> Bool {
        if code == MDB_NOTFOUND { return false }
        try LMDBError.check(code, "scan records")
        if let map, unsafe !map.isOnItsPage(key) { throw Self.corrupted("a page of data.mdb has a wrong number") }
        return true
    }

    /// Moves to a key, and returns its value, or `nil` if the key does not exist. The value is valid until the
    /// transaction writes or ends.
    func value(of key: Span<UInt8>) throws(DataStoreError) -> MDB_val? {
        var value = unsafe MDB_val()
        let code = unsafe key.withValue { unsafe mdb_cursor_get(pointer, &$0, &value, MDB_SET) }
        if code == MDB_NOTFOUND { return nil }
        try LMDBError.check(code, "read a record")
        return unsafe value
    }

    /// Stores a value under a key. If the key already has a value, `check` receives that value and can throw an error
    /// to keep it.
    ///
    /// Reusing one cursor for many puts is faster, because a key near the previous one is found without descending from
    /// the root.
    func put(
        _ value: Span<UInt8>, for key: Span<UInt8>, over check: (Span<UInt8>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        // LMDB copies both before the call returns. If the key has a value already, `found` then points to it in the
        // map, which does not change before the next call.
        var found = unsafe MDB_val()
        let code = unsafe key.withValue { key in
            unsafe value.withValue { value in
                defer { unsafe found = value }
                return unsafe mdb_cursor_put(pointer, &key, &value, UInt32(MDB_NOOVERWRITE))
            }
        }
        guard code == MDB_KEYEXIST else { return try LMDBError.check(code, "save a record") }
        try check(unsafe UnsafeBufferPointer(found).span)
        try put(value, for: key)
    }

    /// Stores a value under a key, and replaces any existing value. If `isLast`, the key must come after all others,
    /// and pages are filled completely.
    func put(_ value: Span<UInt8>, for key: Span<UInt8>, isLast: Bool = false) throws(DataStoreError) {
        let flags = isLast ? UInt32(MDB_APPEND) : 0
        let code = unsafe key.withValue { key in
            unsafe value.withValue { unsafe mdb_cursor_put(pointer, &key, &$0, flags) }
        }
        try LMDBError.check(code, "save a record")
    }

    private mutating func seek(_ bytes: Span<UInt8>) -> Int32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            // LMDB reads the bytes during the call, and then makes the key point into the map.
            unsafe key = MDB_val(buffer)
            return unsafe mdb_cursor_get(pointer, &key, &value, MDB_SET_RANGE)
        }
    }
}
