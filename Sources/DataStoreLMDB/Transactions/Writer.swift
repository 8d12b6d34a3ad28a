import DataStoreCore
import RecordFraming

/// A write transaction, which the writer thread begins and ends. If the object is destroyed before ``commit()``, the
/// transaction is aborted.
final class Writer: NativeWriteBackend {
    private let transaction: RawTransaction
    private let stored = StoredRecord()
    /// The cursor that stores records, or `nil` before the first put and after the transaction.
    private var cursor: Cursor?
    /// The buffer into which each record is encoded.
    private var frame: [UInt8] = []
    private var isOver = false

    /// The number of records and index entries that the transaction has stored or removed.
    private(set) var changeCount = 0

    /// The changed keys, without the keys of index entries. It is `nil` if no observer needs them.
    private(set) var changedKeys: ChangedKeys?

    /// Whether an observer needs the changed keys. Set it before the first change.
    var isObserved: Bool {
        get { changedKeys != nil }
        set { changedKeys = newValue ? ChangedKeys() : nil }
    }

    /// The number of the transaction.
    let number: UInt64

    /// The version of the index catalogues that the transaction sees. Set it before the first change.
    var catalogueVersion: CatalogueVersion?

    /// The first failure of liblmdb, or `nil` if no call has failed. After a failure, liblmdb rejects every further
    /// call, including the commit.
    private(set) var failure: DataStoreError?

    init(_ environment: RawEnvironment) throws(DataStoreError) {
        transaction = try environment.begin(readOnly: false)
        number = transaction.number
    }

    deinit { abort() }

    /// Aborts the transaction unless it has ended.
    func abort() {
        guard !isOver else { return }
        isOver = true
        cursor = nil
        transaction.abort()
    }

    /// Commits and ends the transaction.
    func commit() throws(DataStoreError) {
        isOver = true
        cursor = nil
        try transaction.commit()
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        try watching { () throws(DataStoreError) in try transaction.view(key, using: stored, body) }
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        try watching { () throws(DataStoreError) in try transaction.scan(scan, using: stored, visit) }
    }

    func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        try watching { () throws(DataStoreError) in try transaction.scanBytes(scan, using: stored, visit) }
    }

    func collection(after name: String?) throws(DataStoreError) -> String? {
        try watching { () throws(DataStoreError) in try transaction.collection(after: name) }
    }

    func put(_ record: Record, for key: Key) throws(DataStoreError) {
        // Index entries are computed from their records, so a damaged entry may be overwritten.
        if key.isOfIndex { return try replace(record, for: key, entries: []) }
        try encoding(record) { frame throws(DataStoreError) in
            try KeyBytes.with(key) { bytes throws(DataStoreError) in
                RecordFrame.finish(&frame, key: bytes)
                // A damaged record is not overwritten, because it may still be recovered.
                try cursor?.put(frame.span, for: bytes) { old throws(DataStoreError) in
                    try RecordFrame.verify(old, key: bytes)
                }
            }
        }
        note(key)
    }

    func replace(_ record: Record, for key: Key?, entries: [IndexEntryKey]) throws(DataStoreError) {
        try encoding(record) { frame throws(DataStoreError) in
            if let key { try KeyBytes.with(key) { bytes throws(DataStoreError) in try replace(bytes, by: &frame) } }
            for entry in entries {
                try KeyBytes.with(entry.collection, entry.id) { bytes throws(DataStoreError) in
                    try replace(bytes, by: &frame)
                }
            }
        }
        changeCount += entries.count
        if let key { note(key) }
    }

    /// Encodes a record and passes the bytes to a closure. Opens the cursor first, if necessary.
    private func encoding(
        _ record: Record, _ body: (inout [UInt8]) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try watching { () throws(DataStoreError) in
            if cursor == nil { cursor = try transaction.cursor() }
            // The buffer is moved out and back to avoid a copy.
            var frame = self.frame
            self.frame = []
            defer { self.frame = frame }
            RecordFrame.begin(record, &frame)
            try body(&frame)
        }
    }

    private func replace(_ key: Span<UInt8>, by frame: inout [UInt8]) throws(DataStoreError) {
        RecordFrame.finish(&frame, key: key)
        try cursor?.put(frame.span, for: key)
    }

    func remove(_ entries: [IndexEntryKey]) throws(DataStoreError) {
        try watching { () throws(DataStoreError) in
            for entry in entries {
                let existed = try KeyBytes.with(entry.collection, entry.id) { bytes throws(DataStoreError) in
                    try transaction.remove(bytes)
                }
                if existed { changeCount += 1 }
            }
        }
    }

    func remove(_ key: Key) throws(DataStoreError) -> Bool {
        let wasThere = try watching { () throws(DataStoreError) in
            try KeyBytes.with(key) { bytes throws(DataStoreError) in try transaction.remove(bytes) }
        }
        if wasThere { note(key) }
        return wasThere
    }

    func removeFirst(_ count: Int, of collection: String) throws(DataStoreError) -> Int {
        let prefix = KeyBytes.prefix(collection)
        var removedCount = 0
        try watching { () throws(DataStoreError) in
            var cursor = try transaction.cursor()
            while removedCount < count {
                // The key is copied, because it points into the map. The value is not read, so damaged records are
                // removed, too.
                let found = try cursor.first(from: prefix.span) { key, _ in key.indices.map { key[$0] } }
                guard let key = found, key.starts(with: prefix), try transaction.remove(key.span) else { return }
                removedCount += 1
            }
        }
        changeCount += removedCount
        return removedCount
    }

    func raiseFormatVersion() throws(DataStoreError) {
        try encoding(StoreFormat.record(of: StoreFormat.migratedVersion)) { frame throws(DataStoreError) in
            let key = KeyBytes.format
            try replace(key.span, by: &frame)
        }
        changeCount += 1
    }

    private func note(_ key: Key) {
        changeCount += 1
        if key.isOfIndexCatalogue { catalogueVersion = nil }
        changedKeys?.insert(key)
    }

    /// Runs a closure and records the first failure of liblmdb.
    private func watching<Result>(_ body: () throws(DataStoreError) -> Result) throws(DataStoreError) -> Result {
        do {
            return try body()
        } catch {
            if error.underlying is LMDBError { failure = failure ?? error }
            throw error
        }
    }
}
