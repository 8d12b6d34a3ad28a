import DataStoreCore
import DataStoreQueries
import Testing
import TortureKit

/// Tests of a unique field of a store that newer and older processes share.
@Suite struct UniqueFieldTests {
    private let subject: LMDBSubject
    private let schema: Schema

    init() throws {
        subject = try LMDBSubject()
        schema = try Schema([.init("trips", indexes: [.unique("title")])])
    }

    /// The index of a small collection is rebuilt within a write, and the index of a large one in several.
    @Test("No process accepts a duplicate of a unique field", arguments: [0, 1500])
    func duplicates(_ recordCount: Int) async throws {
        let findings = try await UniqueRun(subject, recordCount: recordCount).findings()
        #expect(findings == [])
    }

    /// A process without declarations helps to build the index, and finds the duplicates at the same time as the
    /// declaring process.
    @Test("A declaration that was withdrawn rejects no write of another process")
    func withdrawnDeclaration() async throws {
        let store = try await subject.open()
        try await store.write { transaction in
            for number in 0..<1200 {
                let record: Record = ["title": .string("\(min(number, 1100))")]
                try transaction.put(record, for: Key(collection: "trips", id: "\(10_000 + number)"))
            }
        }
        let declaring = SchemaStore(store, schema: schema)
        // The build is interrupted after the first step.
        let interrupted = InterferingStore(store: store) { throw CancellationError() }
        await #expect(throws: CancellationError.self) {
            try await SchemaStore(interrupted, schema: schema).buildIndexes()
        }
        #expect(try await declaring.indexes().map(\.isUnique) == [true])
        let interfered = InterferingStore(
            store: store,
            afterFailure: {
                await #expect(throws: DataStoreError.self) { try await declaring.buildIndexes() }
            })
        try await SchemaStore(interfered).write {
            try $0.put(["title": .string("1100")], for: Key(collection: "trips", id: "x"))
        }
        #expect(try await declaring.indexes().map(\.isUnique) == [false])
        await store.close()
    }
}

/// A store that simulates another process: it calls a closure after each write, or after each duplicate that a write
/// finds.
private struct InterferingStore: DataStore {
    let store: any DataStore
    var afterWrite: @Sendable () async throws -> Void = {}
    var afterFailure: @Sendable () async throws -> Void = {}

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try await store.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        do {
            let result = try await store.write(body)
            try await afterWrite()
            return result
        } catch let error as DataStoreError where error.code == .notUnique {
            try await afterFailure()
            throw error
        }
    }

    func generation() async throws -> UInt64 { try await store.generation() }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try await store.observe(scope, wake)
    }

    func close() async { await store.close() }
}
