import DataStoreCore
import Synchronization
import Testing

/// Tests of the updates of a store whose reads sometimes fail.
@Suite(.timeLimit(.minutes(1))) struct RecordUpdatesTests {
    private let store = UnreliableStore()
    private let key: Key

    init() throws { key = try Key(collection: "c", id: "a") }

    @Test(
        "An error about damage that passes at once is not thrown",
        arguments: [DataStoreError.Code.corrupted, .notAStore])
    func passingDamage(_ code: DataStoreError.Code) async throws {
        var states = store.updates(of: key).makeAsyncIterator()
        #expect(try await states.next() == .some(nil))
        store.failNextRead(with: DataStoreError(code, "another program is writing the file"))
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        #expect(try await states.next() == ["n": .integer(1)])
    }

    @Test(
        "After a failure that passes without a change to the store, the newest state arrives",
        arguments: [DataStoreError.Code.full, .busy, .unavailable, .inputOutput])
    func passingFailure(_ code: DataStoreError.Code) async throws {
        var states = store.updates(of: key).makeAsyncIterator()
        #expect(try await states.next() == .some(nil))
        store.failNextRead(with: DataStoreError(code, "too many open files in the process"))
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        await #expect(throws: DataStoreError.self) { try await states.next() }
        #expect(try await states.next() == ["n": .integer(1)])
    }
}

/// A store in memory whose next read can be made to fail.
private final class UnreliableStore: DataStore {
    private let store = MemoryDataStore()
    private let failure = Mutex<DataStoreError?>(nil)

    func failNextRead(with error: DataStoreError) { failure.withLock { $0 = error } }

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        if let error = failure.withLock({ $0.take() }) { throw error }
        return try store.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await store.write(body)
    }

    func generation() async throws -> UInt64 { try store.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await store.observe(scope, wake)
    }

    func close() async { await store.close() }
}
