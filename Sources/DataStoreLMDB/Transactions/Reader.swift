import DataStoreCore
import RecordFraming
import Synchronization

/// A place for one read at a time, with a read transaction that is used again and again: reset when a read is over,
/// renewed for the next. (Beginning and ending one costs six times as much.)
///
/// - Safety: `@unchecked Sendable` because the transaction is touched only by the one thread that has occupied the
///   place: ``occupy(by:)`` gives it to one, ``vacate()`` passes on what it did. With `MDB_NOTLS` it may be another
///   thread each time.
final class Reader: NativeReadBackend, @unchecked Sendable {
    /// The number of uses, and in the lowest bit whether one is under way.
    private let state = Atomic<UInt64>(0)

    /// The thread that has the place; 0 is none.
    private let thread = Atomic<UInt>(0)

    /// Whether it is one of those that are kept only while they read.
    let isSpare: Bool

    private var transaction: RawTransaction?
    private let stored = StoredRecord()
    /// What was found out about indexes in the state that this transaction has made.
    private let snapshotCache = SnapshotCache()
    private var cachedTransaction: UInt64 = 0

    /// Keeps the next reader off this one's cache line (two, where the processor fetches them in pairs): each thread
    /// writes to its own.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    init(isSpare: Bool) { self.isSpare = isSpare }

    // MARK: The place

    /// Takes the place for a thread.
    ///
    /// - Returns: whether it was free.
    @inline(__always)
    func occupy(by thread: UInt) -> Bool {
        let old = state.load(ordering: .relaxed)
        guard old & 1 == 0 else { return false }
        // Sequentially consistent: the pool looks at its gate next, and who closes the gate looks at the places next.
        let (isTaken, _) = state.compareExchange(expected: old, desired: old &+ 1, ordering: .sequentiallyConsistent)
        if isTaken { self.thread.store(thread, ordering: .relaxed) }
        return isTaken
    }

    /// Gives the place back.
    @inline(__always)
    func vacate() {
        // Before the place is free: whoever has it next must not pass for this thread before it says who it is.
        thread.store(0, ordering: .relaxed)
        // Only its owner changes an occupied place. Adding one ends this use and makes the number of the next.
        state.store(state.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }

    /// Whether a use is under way.
    var isOccupied: Bool { state.load(ordering: .sequentiallyConsistent) & 1 == 1 }

    /// Whether a thread has the place.
    func isOccupied(by thread: UInt) -> Bool {
        isOccupied && self.thread.load(ordering: .relaxed) == thread
    }

    /// Which use is under way, or nil where none is.
    var use: UInt64? {
        let state = state.load(ordering: .relaxed)
        return state & 1 == 1 ? state : nil
    }

    // MARK: The transaction, for who has the place

    /// Whether there is a transaction to renew.
    var hasTransaction: Bool { transaction != nil }

    /// Takes a transaction that has just begun.
    func adopt(_ transaction: RawTransaction) {
        self.transaction = transaction
        // It may be of another file.
        snapshotCache.invalidate()
    }

    /// Takes a new snapshot.
    func renew() throws(DataStoreError) { try transaction?.renew() }

    /// The number of the last transaction that the snapshot has.
    var lastTransaction: UInt64 { transaction?.number ?? 0 }

    /// Lets go of the snapshot.
    func reset() { transaction?.reset() }

    /// Ends the transaction for good, and so frees its slot in the lock file. It must have happened before the
    /// environment closes.
    func end() {
        transaction?.abort()
        transaction = nil
    }

    // MARK: Reading

    var cache: SnapshotCache? {
        if cachedTransaction != lastTransaction {
            snapshotCache.invalidate()
            cachedTransaction = lastTransaction
        }
        return snapshotCache
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        guard let transaction else { throw .closed() }
        return try transaction.view(key, in: stored, body)
    }

    func collection(after name: String?) throws(DataStoreError) -> String? {
        guard let transaction else { throw .closed() }
        return try transaction.collection(after: name)
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        guard let transaction else { throw .closed() }
        try transaction.scan(scan, in: stored, visit)
    }

    func scanBytes(
        _ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step
    ) throws(DataStoreError) {
        guard let transaction else { throw .closed() }
        try transaction.scanBytes(scan, in: stored, visit)
    }
}
