import DataStoreCore
import DataStoreQueries
import Testing

/// Tests of the time that checking unique fields takes.
@Suite struct UniqueFieldTimeTests {
    private let store = MemoryDataStore()

    @Test("Many long elements of a unique field are checked in linear time", .timeLimit(.minutes(1)))
    func longElements() async throws {
        let schema = try Schema([.init("c", indexes: [.unique("tags[]")])])
        let writer = SchemaStore(store, schema: schema)
        let key = try Key(collection: "c", id: "a")
        func tag(_ number: Int) -> Value { .string(String(repeating: "x", count: 600) + "\(number)") }
        let tags = (0..<2000).map(tag)
        try await writer.write { try $0.put(["tags": .array(tags)], for: key) }
        // A write without the schema invalidates the index, so the next write builds it again.
        try await store.write { try $0.put(["tags": .array(tags)], for: key) }
        for (number, isUnique) in [(1999, false), (2000, true)] {
            let other: Record = ["tags": .array([tag(number)])]
            let write = { try await writer.write { try $0.put(other, for: Key(collection: "c", id: "b")) } }
            if isUnique {
                try await write()
            } else {
                let error = await #expect(throws: DataStoreError.self) { try await write() }
                #expect(error?.code == .notUnique && error?.reason.contains("c/a") == true)
            }
        }
    }
}
