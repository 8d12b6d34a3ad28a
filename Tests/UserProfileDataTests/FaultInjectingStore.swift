import DataStoreCore
import Synchronization

/// A store in which one step of each write fails, given by its number from 0.
struct FaultInjectingStore: DataStore {
    let base: any DataStore
    let failingStep: Int
    let error: DataStoreError
    let counter = Counter()

    final class Counter: Sendable {
        let steps = Mutex(0)
    }

    /// The number of steps of the last write.
    var stepCount: Int { counter.steps.withLock { $0 } }

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await base.write { [failingStep, error, counter] transaction in
            let backend = FaultInjectingBackend(failingStep: failingStep, error: error)
            defer { counter.steps.withLock { $0 = backend.stepCount } }
            return try backend.run(body, in: &transaction)
        }
    }

    func generation() async throws -> UInt64 { try await base.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await base.observe(scope, wake)
    }

    func close() async { await base.close() }
}

/// Forwards each step but one to a transaction.
private final class FaultInjectingBackend: WriteBackend {
    private let failingStep: Int
    private let error: DataStoreError
    private(set) var stepCount = 0
    private var inner = WriteTransaction(NoBackend())

    init(failingStep: Int, error: DataStoreError) {
        self.failingStep = failingStep
        self.error = error
    }

    func run<Result>(
        _ body: (inout WriteTransaction) throws -> Result, in transaction: inout WriteTransaction
    ) throws -> Result {
        swap(&inner, &transaction)
        defer { swap(&inner, &transaction) }
        var outer = WriteTransaction(self)
        return try body(&outer)
    }

    private func step() throws(DataStoreError) {
        defer { stepCount += 1 }
        if stepCount == failingStep { throw error }
    }

    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool {
        try step()
        guard let record = try inner.record(for: key) else { return false }
        body(RecordView(record))
        return true
    }

    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        try step()
        do {
            try inner.forEachView(in: scan) { key, view in visit(key, view) }
        } catch let error as DataStoreError {
            throw error
        } catch {
            throw DataStoreError(.inputOutput, "\(error)")
        }
    }

    func collection(after name: String?) throws(DataStoreError) -> String? {
        try step()
        return try inner.collections().first { candidate in
            name.map { $0.utf8.lexicographicallyPrecedes(candidate.utf8) } ?? true
        }
    }

    func put(_ record: Record, for key: Key) throws(DataStoreError) {
        try step()
        try inner.put(record, for: key)
    }

    func remove(_ key: Key) throws(DataStoreError) -> Bool {
        try step()
        return try inner.remove(key)
    }
}

/// Rejects every operation before and after the transaction.
private final class NoBackend: WriteBackend {
    func view(_ key: Key, _ body: (borrowing RecordView) -> Void) throws(DataStoreError) -> Bool { throw .closed() }
    func scan(_ scan: Scan, _ visit: (Key, borrowing RecordView) -> Scan.Step) throws(DataStoreError) {
        throw .closed()
    }
    func collection(after name: String?) throws(DataStoreError) -> String? { throw .closed() }
    func put(_ record: Record, for key: Key) throws(DataStoreError) { throw .closed() }
    func remove(_ key: Key) throws(DataStoreError) -> Bool { throw .closed() }
}
