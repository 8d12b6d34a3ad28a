import Logging
import Synchronization

/// A data store that describes the transactions of another store to observers: a log, metrics and traces.
struct ObservedDataStore: WrappingDataStore, HidesRecords {
    let base: any DataStore
    let logger: Logger?
    let observers: [any TransactionObserver]

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try await observing(.read) { progress in
            try await base.read { transaction in try progress.run(transaction, body) }
        }
    }

    func read<Result: Sendable>(
        prefetching key: Key, _ body: @Sendable (borrowing ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await observing(.read) { progress in
            try await base.read(prefetching: key) { transaction in try progress.run(transaction, body) }
        }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await observing(.write) { progress in
            try await base.write { transaction in try progress.run(&transaction, body) }
        }
    }

    func close() async {
        await base.close()
        logger?.debug("closed the store")
    }

    /// Runs a transaction and describes it to the observers. The closure receives what measures the transaction, or
    /// `nil` if no observer asks for it.
    private func observing<Result>(
        _ operation: TransactionReport.Operation, _ body: (TransactionProgress?) async throws -> Result
    ) async throws -> Result {
        let start = ContinuousClock.now
        let progress = observers.contains(where: \.isMeasuring) ? TransactionProgress(operation, since: start) : nil
        var failure: DataStoreError?
        defer {
            // Without measurements, only failures are described, so a success reads the clock once.
            if progress != nil || failure != nil {
                var report = progress?.report ?? TransactionReport(operation: operation)
                report.duration = start.duration(to: .now)
                report.failure = failure
                for observer in observers { observer.didEnd(report) }
            }
        }
        do {
            return try await body(progress)
        } catch {
            // Another error comes from the closure, and is not a failure of the store.
            failure = error as? DataStoreError
            throw error
        }
    }
}

extension DataStore {
    /// Returns the store with a log of its transactions, and with their metrics and spans if the trait `Telemetry` is
    /// on.
    func observed(_ logger: Logger?) -> any DataStore {
        var observers: [any TransactionObserver] = []
        if let logger { observers.append(TransactionLog(logger: logger)) }
        #if Telemetry
        observers.append(Telemetry())
        #endif
        return observers.isEmpty ? self : ObservedDataStore(base: self, logger: logger, observers: observers)
    }
}

/// Something that learns of each transaction of a store and describes it to people, e.g. a log.
protocol TransactionObserver: Sendable {
    /// Whether the observer uses the counts of a ``TransactionReport``. Counting takes a few microseconds for each
    /// transaction.
    var isMeasuring: Bool { get }

    /// Describes a transaction that has ended. If no observer measures, only failures are described.
    func didEnd(_ report: TransactionReport)
}

/// A transaction that has ended. It contains neither keys, which may name a user, nor values.
struct TransactionReport: Sendable {
    enum Operation: String { case read, write }

    let operation: Operation
    /// The numbers of records that were read, or put and removed, by collection.
    var recordCounts: [String: Int] = [:]
    /// The size of the values that were put.
    var byteCount = 0
    /// The time until the closure ran, e.g. while other programs wrote.
    var wait = Duration.zero
    /// How often the closure has run. The store repeats it, e.g. after a server has cancelled the transaction.
    var runCount = 0
    var duration = Duration.zero
    /// The error of the store, or `nil` if the store has not failed.
    var failure: DataStoreError?

    var recordCount: Int { recordCounts.values.reduce(0, +) }
}

/// Measures a transaction while it runs.
private final class TransactionProgress: Sendable {
    private let start: ContinuousClock.Instant
    private let state: Mutex<TransactionReport>

    var report: TransactionReport { state.withLock(\.self) }

    init(_ operation: TransactionReport.Operation, since start: ContinuousClock.Instant) {
        self.start = start
        state = Mutex(TransactionReport(operation: operation))
    }

    /// Records that the closure of the transaction begins.
    func begin() {
        state.withLock { report in
            if report.runCount == 0 { report.wait = start.duration(to: .now) }
            report.runCount += 1
        }
    }

    /// Records what the last run has done, instead of what earlier runs have.
    func end(_ recordCounts: [String: Int], _ byteCount: Int = 0) {
        state.withLock { report in (report.recordCounts, report.byteCount) = (recordCounts, byteCount) }
    }
}

/// If no observer measures, there is no progress, and the closures run alone.
extension TransactionProgress? {
    fileprivate func run<Result>(
        _ transaction: borrowing ReadTransaction, _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        guard let progress = self else { return try body(transaction) }
        progress.begin()
        let backend = CountingBackend(transaction.backend)
        // A query that reads an index alone reads no record, and finds the state of the index in the cache.
        backend.cache?.didUseIndex = { backend.add(0, to: $0) }
        defer {
            backend.cache?.didUseIndex = nil
            progress.end(backend.counts)
        }
        return try body(ReadTransaction(backend))
    }

    fileprivate func run<Result>(
        _ transaction: inout WriteTransaction, _ body: (inout WriteTransaction) throws -> Result
    ) throws -> Result {
        guard let progress = self else { return try body(&transaction) }
        progress.begin()
        transaction.changes = ([:], 0)
        let result = try body(&transaction)
        if let changes = transaction.changes { progress.end(changes.recordCounts, changes.byteCount) }
        return result
    }
}

/// A backend that counts the records that a transaction reads.
private final class CountingBackend: ReadBackend {
    private let base: any ReadBackend
    private(set) var counts: [String: Int] = [:]

    init(_ base: any ReadBackend) { self.base = base }

    var cache: QueryCache? { base.cache }

    var recordsInMemory: RecordTree? {
        get { base.recordsInMemory }
        set { base.recordsInMemory = newValue }
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        if key.isOfIndexCatalogue { add(0, to: key.id) }
        let exists = try base.view(key, body)
        add(exists ? 1 : 0, to: key.collection)
        return exists
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        var count = 0
        defer { add(count, to: scan.collection) }
        try base.scan(scan) { key, view in
            count += 1
            return visit(key, view)
        }
    }

    func scanBytes(_ scan: Scan, _ visit: (Span<UInt8>, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        var count = 0
        defer { add(count, to: scan.collection) }
        try base.scanBytes(scan) { id, view in
            count += 1
            return visit(id, view)
        }
    }

    func collection(after name: String?) throws(DataStoreError) -> String? { try base.collection(after: name) }

    func estimatedCount(of collection: String) throws(DataStoreError) -> (number: Int, isExact: Bool)? {
        try base.estimatedCount(of: collection)
    }

    func prefetch(_ scan: Scan) { base.prefetch(scan) }

    /// Collections whose names begin with a NUL belong to the library. The catalogue of the store has an empty id.
    fileprivate func add(_ count: Int, to collection: String) {
        if let first = collection.utf8.first, first != 0 { counts[collection, default: 0] += count }
    }
}
