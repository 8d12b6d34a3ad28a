import DataStoreCore
import DataStoreTesting
import Testing

@Suite struct LMDBRegisteredDefaultsTests {
    @Test(arguments: DataStoreConformance.persistent + DataStoreConformance.telling)
    func registeredDefaultsKeepTheContract(_ point: DataStoreConformance) async throws {
        let elsewhere = Entry(key: try Key(collection: "elsewhere", id: "a"), record: ["a": .bool(true)])
        try await point.check {
            DecoratedSubject(try LMDBSubject()) { try RegisteredDefaults(over: $0, registering: [elsewhere]) }
        }
    }

    @Test func aDamagedRecordIsNotReplacedByARegisteredOne() async throws {
        let key = try Key(collection: "users", id: "me")
        let subject = DecoratedSubject(try LMDBSubject()) {
            try RegisteredDefaults(over: $0, registering: [Entry(key: key, record: ["a": .bool(true)])])
        }
        var store = try await subject.open()
        try await store.write { try $0.put(["b": .string("some text that is long enough")], for: key) }
        await store.close()
        try await subject.damage(key)
        store = try await subject.open()
        for name in ["a", "b"] {
            await #expect {
                _ = try await store.read { transaction in
                    try transaction.withView(of: key) { view in try view.value(of: name) }
                }
            } throws: { ($0 as? DataStoreError)?.code == .corrupted }
        }
        await store.close()
    }
}
