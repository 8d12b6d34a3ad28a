import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import Testing

/// Tests of the memory that building an index needs.
@Suite struct IndexBuildTests {
    private let subject: LMDBSubject

    init() throws { subject = try LMDBSubject() }

    @Test(
        "A step of a build ends early if its records are large",
        arguments: [IndexDefinition.unique("text"), .on("text", isCovering: true)])
    func largeRecords(_ index: IndexDefinition) async throws {
        let store = try LMDBDataStore(path: subject.path)
        let data = Value.data([UInt8](repeating: 0, count: 1 << 20))
        for number in 0..<10 {
            let key = try Key(collection: "c", id: "\(number)")
            try await store.write { try $0.put(["text": .string("\(number)"), "data": data], for: key) }
        }
        let writer = SchemaStore(store, schema: try Schema([.init("c", indexes: [index])]))
        var stepCount = 0
        try await writer.buildIndexes { _, _ in stepCount += 1 }
        #expect(stepCount == 2)
        #expect(try await writer.checkIndexes().allSatisfy(\.matchesRecords))
        await writer.close()
    }
}
