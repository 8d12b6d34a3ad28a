import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import Testing

/// Tests of the rules that a schema store remembers between transactions.
@Suite struct RememberedRulesTests {
    @Test("Rules that an aborted transaction has declared are declared by the next one")
    func abortedDeclaration() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path)
        let rules = CollectionRules(references: [Reference(from: "other", to: "c")])
        let writer = SchemaStore(store, schema: try Schema([.init("c", rules: rules)]))
        let key = try Key(collection: "c", id: "a")
        // The first write declares the rules, and the others remember the collection.
        for _ in 0..<3 { try await writer.write { try $0.put([:], for: key) } }
        #expect(try await SchemaStore(store).removeRules(of: "c"))
        await #expect(throws: CancellationError.self) {
            try await writer.write { transaction in
                try transaction.put(["n": .integer(1)], for: key)
                throw CancellationError()
            }
        }
        try await writer.write { try $0.put(["n": .integer(2)], for: key) }
        let paths = try store.read { try $0.references().map(\.reference.path) }
        #expect(paths == ["other"])
        await writer.close()
    }
}
