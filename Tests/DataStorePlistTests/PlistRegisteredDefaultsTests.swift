import DataStoreCore
import DataStoreTesting
import Testing

@Suite struct PlistRegisteredDefaultsTests {
    @Test(arguments: DataStoreConformance.persistent + DataStoreConformance.telling)
    func registeredDefaultsKeepTheContract(_ point: DataStoreConformance) async throws {
        let elsewhere = Entry(key: try Key(collection: "elsewhere", id: "a"), record: ["a": .bool(true)])
        try await point.check {
            DecoratedSubject(try PlistSubject()) { try RegisteredDefaults(over: $0, registering: [elsewhere]) }
        }
    }

    @Test func aDamagedRecordIsNotReplacedByARegisteredOne() async throws {
        let key = try Key(collection: "users", id: "me")
        let subject = DecoratedSubject(try PlistSubject()) {
            try RegisteredDefaults(over: $0, registering: [Entry(key: key, record: ["a": .bool(true)])])
        }
        let store = try await subject.open()
        try await store.write { try $0.put(["b": .bool(true)], for: key) }
        try await subject.damage(key)
        await #expect {
            _ = try await store.read { try $0.record(for: key) }
        } throws: { ($0 as? DataStoreError)?.code == .corrupted }
    }
}
