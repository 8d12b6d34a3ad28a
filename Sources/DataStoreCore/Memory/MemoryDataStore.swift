import Synchronization

/// A data store that keeps its records in memory, for tests and for data that does not have to outlive the process.
///
/// ```swift
/// let store = MemoryDataStore()
/// try await store.write { try $0.put(["title": .string("milk")], for: Key(collection: "notes", id: "1")) }
/// ```
///
/// It fulfills the whole contract of `DataStore` except durability. Reads use a snapshot and do not wait for writes.
public final class MemoryDataStore: DataStore, ImmediateDataStore, HidesRecords {
    private let state = Mutex((tree: RecordTree(), generation: UInt64(0), isClosed: false))
    private let queue = WriteQueue(timeout: .seconds(30))
    private let isWriting = Atomic(false)
    private let observers = ChangeObservers()

    /// Creates an empty store.
    public init() {}

    /// Runs a closure on one snapshot of the store and returns the result of the closure.
    public func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        let (tree, generation) = try current()
        let transaction = RecordTreeTransaction(tree)
        defer {
            if transaction.hasBuiltIndexes {
                state.withLock { if $0.generation == generation { $0.tree = transaction.tree } }
            }
        }
        return try body(ReadTransaction(transaction))
    }

    /// Runs a closure that changes the store and returns the result of the closure. If the closure throws, nothing is
    /// changed.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await queue.submit(body) { runWrites() }
    }

    /// Runs the pending writes on the current thread, unless another thread does.
    private func runWrites() {
        guard !isWriting.exchange(true, ordering: .sequentiallyConsistent) else { return }
        for write in queue.takeAll() { run(write) }
        isWriting.store(false, ordering: .sequentiallyConsistent)
        // The caller of this write does not wait for writes that have arrived meanwhile.
        if queue.count > 0 { Task.detached { self.runWrites() } }
    }

    private func run(_ write: PendingWrite) {
        do {
            let backend = RecordTreeTransaction(try current().tree, isObserved: !observers.isEmpty)
            if let error = write.runError(in: backend) { throw error }
            state.withLock { state in
                state.tree = backend.tree
                if backend.hasChanges { state.generation += 1 }
            }
            if backend.hasChanges { observers.wake(backend.changedKeys) }
            write.succeed()
        } catch {
            write.fail(with: error)
        }
    }

    /// Returns the number of committed writes that have put or removed a record.
    public func generation() throws -> UInt64 { try current().generation }

    /// Calls `wake` after each commit that may have changed a record in the scope, until the last reference to the
    /// returned observation is released.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try observers.add(scope, wake)
    }

    /// Waits for pending writes, closes the store and discards its records.
    public func close() async {
        // The last write begins after all pending ones. The task is not cancelled if the caller is.
        _ = await Task.detached { [self] in try await queue.submit({ _ in }) { runWrites() } }.result
        queue.close()
        state.withLock { $0 = (RecordTree(), 0, true) }
        observers.close()
    }

    private func current() throws(DataStoreError) -> (tree: RecordTree, generation: UInt64) {
        let state = state.withLock { $0 }
        if state.isClosed { throw .closed() }
        return (state.tree, state.generation)
    }
}

/// The kind of store that keeps records in memory. The address is empty, and each opened store is a new one.
package struct MemoryStoreKind: StoreKind {
    package let scheme = "memory"
    package let isPersistent = false
    package let storesIndexes = false

    package init() {}

    package func address(from text: String) throws(DataStoreError) -> String {
        guard text.isEmpty else { throw DataStoreError(.notAStore, "nothing may follow memory:") }
        return text
    }

    package func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        MemoryDataStore()
    }
}
