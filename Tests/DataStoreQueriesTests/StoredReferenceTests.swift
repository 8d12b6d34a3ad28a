import DataStoreCore
import DataStoreQueries
import Testing

/// References as tools see them, and records found by the value of any field.
@Suite struct StoredReferenceTests {
    @Test("A tool that declares nothing finds the references of a store, and follows them in both directions")
    func references() async throws {
        let base = MemoryDataStore()
        let program = SchemaStore(
            base,
            schema: try Schema([
                .init("patients"),
                .init(
                    "visits",
                    rules: CollectionRules(references: [Reference(from: "place.patients[]", to: "patients")])),
            ]))
        try await program.declareRules()
        let (patient, visit) = (try Key(collection: "patients", id: "7"), try Key(collection: "visits", id: "v"))
        try await program.write { transaction in
            try transaction.put([:], for: patient)
            try transaction.put(["place": .record(["patients": .array([.integer(7)])])], for: visit)
        }

        let tool = SchemaStore(base)
        let (collection, reference) = try #require(try await tool.read { try $0.references() }.first)
        #expect(collection == "visits" && reference.path == "place.patients[]")
        #expect(reference.target == "patients")
        let record = try #require(try await tool.read { try $0.record(for: visit) })
        #expect(try reference.ids(in: record) == ["7"])
        let referring = try await tool.read {
            try $0.records(of: "visits", where: reference.path, equals: .integer(7), limit: 10)
        }
        #expect(referring.map(\.key) == [visit])
        await #expect(throws: DataStoreError.self) {
            try await tool.read { try $0.records(of: "visits", where: "a..b", equals: .integer(7), limit: 10) }
        }
    }

    @Test("Records with a value are found page by page, in the order of their ids")
    func pages() async throws {
        let store = SchemaStore(MemoryDataStore())
        try await store.write { transaction in
            for number in 10..<20 {
                try transaction.put(
                    ["parity": .integer(Int64(number % 2))], for: Key(collection: "numbers", id: "\(number)"))
            }
        }
        var (ids, after): ([String], String?) = ([], nil)
        repeat {
            let page = try await store.read { [after] in
                try $0.records(of: "numbers", where: "parity", equals: .integer(0), after: after, limit: 2)
            }
            ids += page.map(\.key.id)
            after = page.last?.key.id
        } while after != nil
        #expect(ids == ["10", "12", "14", "16", "18"])
    }
}
