import RecordFraming
import Synchronization

/// A reader of a store. Only one thread uses it at a time. It reuses one read transaction: the transaction is reset
/// after each read and renewed for the next one. Beginning and ending a transaction would take six times as long.
///
/// - Safety: `@unchecked Sendable` because only the thread that has acquired the reader accesses the transaction.
///   ``occupy()`` acquires the reader for one thread, and ``vacate()`` publishes this thread's changes to the next
///   one. With `MDB_NOTLS`, each use may be on a different thread.
final class Reader: ReadBackend, @unchecked Sendable {
    /// Twice the number of finished uses, plus 1 while a use is active.
    private let state = Atomic<UInt64>(0)

    /// Whether the reader is a spare reader, which keeps a transaction only while it reads.
    let isSpare: Bool

    private var transaction: RawTransaction?
    /// The cursor that the next scan reuses, because opening a cursor allocates memory. It is `nil` if no cursor is
    /// open or a scan is using it.
    ///
    /// Change it only with `exchange`. An assignment would close the old cursor during the access to the property, so
    /// the runtime would check each access for overlaps.
    private var idleCursor: Cursor?
    /// The data file if the reader verifies every page before it uses the page, otherwise `nil`.
    private var file: PageFile?
    /// The pages that the reader verifies, or `nil` if it does not verify pages or no read has begun.
    private var snapshot: Snapshot?
    /// The environment in which the reader has a transaction. Whoever reads keeps it.
    private unowned var environment: Environment?
    private let stored = StoredRecord()
    /// The cache for queries. It is valid for the state after the transaction `cachedTransaction`.
    private let queryCache = QueryCache()
    private var cachedTransaction: UInt64 = 0

    /// Padding that keeps this reader and the next one in different cache lines, because different threads write to
    /// them. It is longer than a line of 64 bytes, because some processors fetch lines in pairs.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    init(isSpare: Bool) { self.isSpare = isSpare }

    /// Creates a reader of pages that no transaction keeps unchanged.
    init(_ snapshot: Snapshot) {
        isSpare = true
        (file, self.snapshot) = (snapshot.file, snapshot)
    }

    // MARK: Acquiring and releasing

    /// Acquires the reader for the current thread.
    ///
    /// - Returns: Whether the reader was free.
    @inline(__always)
    func occupy() -> Bool {
        let old = state.load(ordering: .relaxed)
        guard old & 1 == 0 else { return false }
        // The operation is sequentially consistent: the pool checks its gate next, and a thread that closes the gate
        // checks the readers next.
        return state.compareExchange(expected: old, desired: old &+ 1, ordering: .sequentiallyConsistent).exchanged
    }

    /// Releases the reader for other threads.
    @inline(__always)
    func vacate() {
        // Only its owner changes the state of an occupied reader. Adding 1 ends this use, and the next use has a new
        // number.
        state.store(state.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }

    /// Whether a thread has acquired the reader.
    var isOccupied: Bool { state.load(ordering: .sequentiallyConsistent) & 1 == 1 }

    /// The number of the active use, or `nil` if the reader is free.
    var use: UInt64? {
        let state = state.load(ordering: .relaxed)
        return state & 1 == 1 ? state : nil
    }

    // MARK: The transaction, for the owner only

    /// Whether the reader has a transaction that it can renew.
    var hasTransaction: Bool { transaction != nil }

    /// Begins the transaction. If `file` is not `nil`, the reader verifies every page before it uses the page.
    func begin(in environment: Environment, verifying file: PageFile?) throws(DataStoreError) {
        var transaction = try environment.beginRead()
        transaction.map = environment.region
        self.transaction = transaction
        self.environment = environment
        // If this function throws, the next read renews the transaction and also needs the pages.
        queryCache.removeAll()
        self.file = file
        if !transaction.hasMetaPage {
            transaction.reset()
            try transaction.renew()
        }
        try findPages()
    }

    /// Renews the transaction, which then sees the last commit.
    func renew() throws(DataStoreError) {
        try transaction?.renew()
        try findPages()
    }

    /// Finds the pages of the transaction if the reader verifies them.
    @inline(__always)
    private func findPages() throws(DataStoreError) {
        guard let file else { return }
        snapshot = nil
        snapshot = try transaction?.snapshot(of: file)
    }

    /// The number of the last transaction that the snapshot includes, or 0 if the reader has no transaction.
    var lastTransaction: UInt64 { transaction?.number ?? 0 }

    /// Releases the snapshot, and keeps the transaction for the next read.
    func reset() { transaction?.reset() }

    /// Ends the transaction, which frees its slot in the lock file. Call this function before the environment closes.
    func end() {
        _ = exchange(&idleCursor, with: nil)
        transaction?.abort()
        transaction = nil
        (file, snapshot) = (nil, nil)
    }

    // MARK: Reading

    var cache: QueryCache? {
        if cachedTransaction != lastTransaction {
            queryCache.removeAll()
            cachedTransaction = lastTransaction
        }
        return queryCache
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        if var cursor = try verifyingCursor() { return try cursor.view(key, using: stored, body) }
        let transaction = try begun()
        let isFound = try KeyBytes.with(key) { bytes throws(DataStoreError) in
            guard let frame = unsafe try transaction.value(of: bytes) else { return false }
            // The value points into the map, which does not change during the read.
            try stored.view(unsafe UnsafeBufferPointer(frame).span, of: bytes, body)
            return true
        }
        if isFound { return true }
        var cursor = try transaction.cursor()
        try cursor.verifyAbsence(of: key)
        return false
    }

    func collection(after name: String?) throws(DataStoreError) -> String? {
        if var cursor = try verifyingCursor() { return try cursor.collection(after: name) }
        var cursor = try begun().cursor()
        return try cursor.collection(after: name)
    }

    func estimatedCount(of collection: String) throws(DataStoreError) -> (number: Int, isExact: Bool)? {
        if let snapshot { return try snapshot.estimatedCount(of: collection) }
        // If two commits have overwritten the meta page of the transaction, its root is unknown.
        return try environment?.pages.snapshot(of: begun())?.estimatedCount(of: collection)
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        if var cursor = try verifyingCursor() { return try cursor.scan(scan, using: stored, visit) }
        var cursor = try begun().cursor()
        try cursor.scan(scan, using: stored, visit)
    }

    func scanBytes(_ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        if var cursor = try verifyingCursor() { return try cursor.scanBytes(scan, using: stored, visit) }
        var cursor = try idleCursor(in: begun())
        try cursor.scanBytes(scan, using: stored, visit)
        _ = exchange(&idleCursor, with: consume cursor)
    }

    /// Returns a cursor that verifies pages, or `nil` if the reader does not verify them.
    @inline(__always)
    private func verifyingCursor() throws(DataStoreError) -> VerifyingCursor? {
        guard file != nil else { return nil }
        guard let snapshot else { throw .closed() }
        return VerifyingCursor(snapshot)
    }

    @inline(__always)
    private func begun() throws(DataStoreError) -> RawTransaction {
        guard let transaction else { throw .closed() }
        return transaction
    }

    /// Returns the idle cursor, or a new one for a scan within another scan.
    private func idleCursor(in transaction: RawTransaction) throws(DataStoreError) -> Cursor {
        if let cursor = exchange(&idleCursor, with: nil) { return try cursor.renewed(in: transaction) }
        return try transaction.cursor()
    }
}
