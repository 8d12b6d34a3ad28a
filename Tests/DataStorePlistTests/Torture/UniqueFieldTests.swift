import DataStoreCore
import DataStorePlist
import DataStoreQueries
import DataStoreTesting
import Testing
import TortureKit

/// Tests of a unique field of a file that newer and older processes share.
@Suite struct UniqueFieldTests {
    @Test("No process accepts a duplicate of a unique field")
    func duplicates() async throws {
        let subject = try PlistSubject()
        let findings = try await UniqueRun(subject, recordCount: 10).findings()
        #expect(findings == [])
    }

    /// The file does not keep entries, so each change by another process invalidates them.
    @Test("Building indexes ends while other processes write")
    func indexBuild() async throws {
        let subject = try PlistSubject()
        let (store, other) = (try PlistDataStore(path: subject.path), try PlistDataStore(path: subject.path))
        let schema = try Schema([.init("trips", indexes: [.unique("title"), .unique("n")])])
        try await SchemaStore(InterruptedStore(store: store, other: other), schema: schema).buildIndexes()
        let indexes = try await SchemaStore(other).indexes()
        #expect(indexes.map(\.name).sorted() == ["n", "title"] && indexes.allSatisfy(\.isUnique), "\(indexes)")
        #expect(try other.read { try $0.record(for: InterruptedStore.key()) } == ["count": .integer(1)], "one write")
        await store.close()
        await other.close()
    }
}

/// A store whose file another store changes after each write, as another process would.
private struct InterruptedStore: DataStore {
    struct TooManyWrites: Error {}

    let store: PlistDataStore
    let other: PlistDataStore

    static func key() throws -> Key { try Key(collection: "writes", id: "1") }

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try store.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        if try store.read({ try $0.record(for: Self.key()) }) == ["count": .integer(10)] { throw TooManyWrites() }
        let result = try await store.write(body)
        try await other.write { try $0.increment(Self.key()) }
        return result
    }

    func generation() async throws -> UInt64 { try store.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await store.observe(scope, wake)
    }

    func close() async { await store.close() }
}
