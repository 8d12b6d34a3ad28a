import DataStoreCore
import DataStoreQueries
import Testing

extension DataStoreConformance {
    /// Pages through sorted records while other records are added, removed and changed between pages. Each unchanged
    /// record must be returned exactly once and in order.
    static func pageDuringWrites(_ store: any DataStore, _ generator: SeededGenerator) async throws {
        var generator = generator
        print("pagination under concurrent writes: seed \(generator.seed)")
        for round in 0..<4 {
            let collection = "round \(round)"
            var staying: [Entry] = []
            for id in 0..<40 {
                staying.append(
                    Entry(key: try Key(collection: collection, id: "s\(id)"), record: .paged(using: &generator)))
            }
            let atFirst = staying
            // Every other round uses the order of an index.
            let indexes = round.isMultiple(of: 2) ? [] : [IndexDefinition.on("a")]
            let others = try (0..<40).map { try Key(collection: collection, id: "\($0 % 2 == 0 ? "a" : "t")\($0)") }
            let changes = others.map { ($0, Record.paged(using: &generator)) }
            let schema = try Schema([Schema.Collection(collection, indexes: indexes)])
            let writer = SchemaStore(store, schema: schema)
            try await writer.write { transaction in
                for entry in atFirst { try transaction.put(entry.record, for: entry.key) }
                for (key, record) in changes { try transaction.put(record, for: key) }
            }
            var query = RecordQuery(
                collection, where: .compare(QueryField("a"), .lessOrEqual, .integer(3)),
                sort: Int.random(in: 0..<4, using: &generator) == 0
                    ? [] : [.descending(QueryField("a")), .ascending(QueryField("b"))],
                limit: .random(in: 1...7, using: &generator), indexes: indexes)
            let expected = QueryModel.result(of: query, from: staying).map(\.key)
            var seen: [Key] = []
            repeat {
                let page = try await store.read { [query] in try $0.records(matching: query) }
                seen += page.entries.map(\.key).filter { $0.id.hasPrefix("s") }
                query.cursor = page.next
                let changes = others.shuffled(using: &generator).prefix(10).map { key in
                    (key, Bool.random(using: &generator) ? Record.paged(using: &generator) : nil)
                }
                try await writer.write { transaction in
                    for (key, record) in changes {
                        if let record { try transaction.put(record, for: key) } else { try transaction.remove(key) }
                    }
                }
            } while query.cursor != nil && seen.count <= expected.count
            #expect(seen == expected, "seed \(generator.seed), round \(round)")
        }
    }
}

extension Record {
    /// Returns a random record with values from small ranges, so that many records tie in a sort.
    fileprivate static func paged(using generator: inout SeededGenerator) -> Record {
        var record: Record = ["a": .integer(.random(in: 0...4, using: &generator))]
        if Bool.random(using: &generator) { record["b"] = .integer(.random(in: 0...2, using: &generator)) }
        return record
    }
}
