import DataStoreCore
import DataStorePostgres
import Testing

@Suite(
    .enabled(if: PostgresSubject.server != nil, "USERPROFILE_TEST_POSTGRES names no server"),
    .enabled(if: Pooler.path != nil, "PgBouncer is not installed"))
struct PoolerTests {
    private let subject = PostgresSubject()

    @Test("In session mode, more writers than connections do not wait for each other")
    func sessions() async throws {
        let pooler = try Pooler(to: PostgresSubject.server ?? "", mode: "session", size: 2)
        let (uri, count) = (subject.uri(of: pooler.uri), 6)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    let store = try await PostgresDataStore(uri)
                    let key = try Key(collection: "c", id: "\(number)")
                    try await store.write { try $0.put(["n": .integer(1)], for: key) }
                    #expect(try await store.record(for: key) == ["n": .integer(1)])
                    await store.close()
                }
            }
            try await group.waitForAll()
        }
        let store = try await subject.open()
        #expect(try await store.read { try $0.records(in: Scan("c")) }.count == count)
        await store.close()
    }

    @Test("Transaction mode is rejected by name")
    func transactions() async throws {
        let pooler = try Pooler(to: PostgresSubject.server ?? "", mode: "transaction", size: 1)
        let uri = subject.uri(of: pooler.uri)
        let error = await #expect(throws: DataStoreError.self) {
            for _ in 1...2 {
                let store = try await PostgresDataStore(uri)
                try await store.write { try $0.put([:], for: Key(collection: "c", id: "id")) }
            }
        }
        #expect(error?.code == .notAStore)
        #expect(error?.reason.contains("PgBouncer") == true)
    }
}
