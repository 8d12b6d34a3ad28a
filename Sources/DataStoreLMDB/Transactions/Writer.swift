import RecordFraming

/// A write transaction, which the writer thread begins and ends. If the object is destroyed before ``commit()``, the
/// transaction is aborted.
final class Writer: WriteBackend {
    private let transaction: RawTransaction
    private let stored = StoredRecord()
    /// The cursor that finds and stores records, or `nil` before its first use and after the transaction. It is reused,
    /// because a key near the previous one is found without descending from the root.
    ///
    /// Change it only with `exchange`, so that the cursor is closed after the access to the property. No call changes
    /// it while another one uses it, so accesses need no check.
    @safe @exclusivity(unchecked) private var cursor: Cursor?
    private var isOver = false

    /// The number of records and index entries that the transaction has stored or removed.
    private(set) var changeCount = 0

    /// The changed keys, without the keys of index entries. It is `nil` if no observer needs them.
    private(set) var changedKeys: ChangedKeys?

    /// The number of the transaction.
    let number: UInt64

    /// The version of the index catalogues that the transaction sees, or `nil` if it is unknown or the transaction has
    /// changed a catalogue.
    private(set) var catalogueVersion: UInt64?

    /// The first failure of liblmdb, or `nil` if no call has failed. After a failure, liblmdb rejects every further
    /// call, including the commit.
    private(set) var failure: DataStoreError?

    /// Creates the writer of a transaction that has changed nothing yet.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - isObserved: Whether an observer needs the changed keys.
    ///   - catalogueVersion: The version of the index catalogues, or `nil` if it is unknown.
    init(_ transaction: RawTransaction, isObserved: Bool, catalogueVersion: UInt64?) {
        self.transaction = transaction
        changedKeys = isObserved ? ChangedKeys() : nil
        self.catalogueVersion = catalogueVersion
        number = transaction.number
    }

    deinit { abort() }

    /// Aborts the transaction unless it has ended.
    func abort() {
        guard !isOver else { return }
        isOver = true
        _ = exchange(&cursor, with: nil)
        transaction.abort()
    }

    /// Commits and ends the transaction.
    func commit() throws(DataStoreError) {
        isOver = true
        _ = exchange(&cursor, with: nil)
        try transaction.commit()
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        try watching { () throws(DataStoreError) in
            try KeyBytes.with(key) { bytes throws(DataStoreError) in
                try openCursor()
                // The cursor that finds the record also replaces it, without descending the tree again.
                guard let value = unsafe try cursor?.value(of: bytes) else { return false }
                // The value is in the map or in a page of the transaction. The closure does not write.
                try stored.view(unsafe UnsafeBufferPointer(value).span, of: bytes, body)
                return true
            }
        }
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        try withCursor { cursor throws(DataStoreError) in try cursor.scan(scan, using: stored, visit) }
    }

    func scanBytes(_ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        try withCursor { cursor throws(DataStoreError) in try cursor.scanBytes(scan, using: stored, visit) }
    }

    func collection(after name: String?) throws(DataStoreError) -> String? {
        try withCursor { cursor throws(DataStoreError) in try cursor.collection(after: name) }
    }

    func put(_ record: Record, for key: Key) throws(DataStoreError) {
        // Index entries are computed from their records, so a damaged entry may be overwritten.
        if key.isOfIndex { return try replace(RecordView(record), for: key, IndexEntryChanges()) }
        try watching { () throws(DataStoreError) in
            try openCursor()
            try KeyBytes.with(key) { key throws(DataStoreError) in
                try RecordFrame.with(record, key: key) { frame throws(DataStoreError) in
                    // A damaged record is not overwritten, because it may still be recovered.
                    try cursor?.put(frame, for: key) { old throws(DataStoreError) in
                        try RecordFrame.verify(old, key: key)
                    }
                }
            }
        }
        noteChange(of: key)
    }

    func replace(
        _ record: borrowing RecordView, for key: Key?, _ entries: IndexEntryChanges
    ) throws(DataStoreError) {
        try watching { () throws(DataStoreError) in
            try entries.forEach(.removed) { entry throws(DataStoreError) in _ = try transaction.remove(entry) }
            try RecordFrame.withUnfinished(record) { frame throws(DataStoreError) in
                func store(_ key: Span<UInt8>) throws(DataStoreError) { try replace(key, by: &frame) }
                if let key { try KeyBytes.with(key, store) }
                try entries.forEach(.storedWithRecord, store)
            }
            guard entries.contains(.stored) else { return }
            try RecordFrame.withUnfinished(RecordView(Record())) { frame throws(DataStoreError) in
                try entries.forEach(.stored) { key throws(DataStoreError) in try replace(key, by: &frame) }
            }
        }
        changeCount += entries.count
        if let key { noteChange(of: key) }
    }

    /// Stores an encoded record under a key, and replaces any existing record. Writes the checksum into the frame.
    private func replace(_ key: Span<UInt8>, by frame: inout MutableSpan<UInt8>) throws(DataStoreError) {
        RecordFrame.finish(&frame, key: key)
        try openCursor()
        try cursor?.put(frame.span, for: key)
    }

    /// Opens ``cursor`` if necessary. Call this function before each use of the cursor.
    private func openCursor() throws(DataStoreError) {
        if cursor == nil { _ = exchange(&cursor, with: try transaction.cursor()) }
    }

    func remove(_ key: Key) throws(DataStoreError) -> Bool {
        let existed = try watching { () throws(DataStoreError) in
            try KeyBytes.with(key) { bytes throws(DataStoreError) in try transaction.remove(bytes) }
        }
        if existed { noteChange(of: key) }
        return existed
    }

    func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int {
        let prefix = KeyBytes.prefix(collection)
        var removedCount = 0
        try withCursor { cursor throws(DataStoreError) in
            while removedCount < count {
                // The key is copied, because it points into the map. The value is not read, so damaged records are
                // removed, too.
                guard try cursor.moveToFirst(from: prefix.span) else { return }
                let key = try cursor.withEntry { key, _ in key.indices.map { key[$0] } }
                guard key.starts(with: prefix), try transaction.remove(key.span) else { return }
                removedCount += 1
            }
        }
        changeCount += removedCount
        return removedCount
    }

    /// Counts the change to a record or an index catalogue. If an observer needs its key, adds the key to
    /// ``changedKeys``.
    private func noteChange(of key: Key) {
        if key.isOfIndexCatalogue { catalogueVersion = nil }
        changeCount += 1
        changedKeys?.insert(key)
    }

    /// Passes a new cursor to a closure, like ``watching(_:)``.
    private func withCursor<Result>(
        _ body: (inout Cursor) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try watching { () throws(DataStoreError) in
            var cursor = try transaction.cursor()
            return try body(&cursor)
        }
    }

    /// Runs a closure. If it throws the first failure of liblmdb, stores the error in ``failure``.
    private func watching<Result>(_ body: () throws(DataStoreError) -> Result) throws(DataStoreError) -> Result {
        do {
            return try body()
        } catch {
            if error.underlying is LMDBError { failure = failure ?? error }
            throw error
        }
    }
}
