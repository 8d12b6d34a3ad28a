import DataStoreCore

/// A read transaction that is used again and again: reset when a read is over, renewed for the next. (Beginning and
/// ending one costs six times as much.)
///
/// - Safety: `@unchecked Sendable` because a reader is used by one thread at a time: ``ReaderPool`` hands it out and gets
///   it back under its lock. With `MDB_NOTLS` it may be another thread each time.
final class Reader: ReadBackend, @unchecked Sendable {
    private let transaction: RawTransaction
    private var isOver = false

    /// Begins a transaction and leaves it reset.
    init(_ environment: RawEnvironment) throws(DataStoreError) {
        transaction = try environment.begin(readOnly: true)
        transaction.reset()
    }

    deinit { end() }

    /// Ends the transaction for good: before its environment closes, whoever still holds the reader.
    func end() {
        guard !isOver else { return }
        isOver = true
        transaction.abort()
    }

    /// Takes a new snapshot.
    func renew() throws(DataStoreError) { try transaction.renew() }

    /// The number of the last transaction that the snapshot has.
    var lastTransaction: UInt64 { transaction.number }

    /// Lets go of the snapshot.
    func reset() { transaction.reset() }

    func record(for key: Key) throws(DataStoreError) -> Record? { try transaction.record(for: key) }

    func scan(_ scan: Scan, _ visit: (Key, Record) -> Scan.Step) throws(DataStoreError) {
        try transaction.scan(scan, visit)
    }
}
