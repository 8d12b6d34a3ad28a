import DataStoreCore
import DataStoreQueries
import Testing

extension DataStoreConformance {
    static let indexCases: [DataStoreConformance] = [
        .init("a query by an index reads few entries beyond its matches") { store in
            try await store.fill(200, knowing: byNumber)
            func report(
                _ condition: Condition?, sort: [RecordQuery.SortKey] = [], limit: Int? = nil
            ) async throws -> QueryReport {
                let query = RecordQuery("c", where: condition, sort: sort, limit: limit, indexes: byNumber)
                return try await store.read { try $0.explain(query) }
            }
            let one = try await report(.compare(number, .equal, .integer(7)))
            #expect(one.index == "n" && one.entryCount == 1 && one.recordCount == 1 && one.foundCount == 1)
            let range = try await report(.between(number, .integer(10), .integer(19)))
            #expect(range.index == "n" && range.entryCount == 10 && range.foundCount == 10)
            let page = try await report(nil, sort: [.descending(number)], limit: 5)
            #expect(page.index == "n" && page.isInOrder && page.entryCount == 5 && page.foundCount == 5)
            let other = try await report(.compare(QueryField("text"), .equal, .string("7")))
            #expect(other.index == nil && other.recordCount == 200 && other.foundCount == 1)
            let ids = try await report(.isIn(.id, [.string("0007"), .string("0100"), .string("none"), .integer(7)]))
            #expect(ids.index == "id" && ids.isInOrder && ids.recordCount == 2 && ids.foundCount == 2)
            let some = try await report(
                .and([.beginsWith(.id, "01"), .compare(.id, .greaterOrEqual, .string("0190"))]),
                sort: [.descending(number)])
            #expect(some.index == "id" && some.recordCount == 10 && some.foundCount == 10)
            // All ids have this prefix.
            let begun = Condition.beginsWith(.id, "0")
            let both = try await report(.and([begun, .compare(number, .equal, .integer(7))]))
            #expect(both.index == "n" && both.entryCount == 1 && both.foundCount == 1)
            let first = try await report(begun, sort: [.ascending(number)], limit: 3)
            #expect(first.index == "n" && first.isInOrder && first.recordCount == 3 && first.foundCount == 3)
        },
        .init("sealed values are indexed by their blinds") { store in
            let mail = QueryField("mail")
            let indexes = [IndexDefinition(mail, isUnique: true)]
            func put(_ value: Value, _ id: String) async throws {
                try await store.declaring(indexes).write { try $0.put(["mail": value], for: key(id)) }
            }
            try await put(sealed(blind: 1), "one")
            try await put(sealed(blind: 2), "two")
            try await put(sealed(blind: nil, 11), "opaque")
            try await put(sealed(blind: nil, 12), "another")
            try await put(.string("plain"), "plain")
            await expect(.notUnique, "an equal blind") { try await put(sealed(blind: 1, 9), "three") }
            func found(_ condition: Condition) async throws -> [String] {
                let query = RecordQuery("c", where: condition, indexes: indexes)
                return try await store.read { try $0.records(matching: query).entries.map(\.key.id) }
            }
            #expect(try await found(.compare(mail, .equal, sealed(blind: 2, 7))) == ["two"])
            #expect(try await found(.isIn(mail, [sealed(blind: 1, 7), sealed(blind: nil, 12)])) == ["one"])
            #expect(try await found(.exists(mail)).count == 5)
            #expect(try await found(.beginsWith(mail, "")) == ["plain"])
            try await store.expectCorrectIndexes(indexes)
        },
        .init("a query by a covering index reads no records") { store in
            let covering = [IndexDefinition.on("n", isCovering: true)]
            try await store.fill(20, knowing: covering)
            let long = Array(repeating: Value.integer(1), count: 100)
            try await store.declaring(covering).write { transaction in
                // The first record keeps its indexed value. The value of the second one is too long for an index key.
                try transaction.put(["n": .integer(7), "text": .string("new")], for: key("0007"))
                try transaction.put(["n": .array(long), "text": .string("8")], for: key("0008"))
                try transaction.put(["text": .string("none")], for: key("0009"))
            }
            try await store.expectCorrectIndexes(covering)
            for (value, text) in [(Value.integer(7), "new"), (.array(long), "8"), (.integer(6), "6")] {
                let query = RecordQuery("c", where: .compare(number, .equal, value), indexes: covering)
                let found = try await store.read { try $0.records(matching: query).entries }
                #expect(found.map { $0.record["text"] } == [.string(text)])
            }
            let page = RecordQuery(
                "c", where: .compare(number, .greaterOrEqual, .integer(5)), sort: [.ascending(number)], limit: 3,
                indexes: covering)
            let report = try await store.read { try $0.explain(page) }
            // The index entry of a value that is too long for a key has no position in the order, so the query always
            // reads its record.
            #expect(report.isInOrder && report.entryCount == 4 && report.recordCount == 1 && report.foundCount == 3)
            // A covering index stays covering if another program declares it as non-covering. A non-covering index is
            // rebuilt if another program declares it as covering.
            try await store.fill(20, knowing: byNumber)
            try await store.expectCorrectIndexes(covering)
            try await store.declaring([]).removeIndex(of: "c", named: "n")
            try await store.fill(20, knowing: byNumber)
            try await store.declaring(byNumber).buildIndexes()
            try await store.declaring(covering).buildIndexes()
            try await store.expectCorrectIndexes(covering)
            let one = RecordQuery("c", where: .compare(number, .equal, .integer(6)), indexes: covering)
            let after = try await store.read { try $0.explain(one) }
            #expect(after.entryCount == 1 && after.recordCount == 0 && after.foundCount == 1)
        },
        .init("a record with an indexed value and one that is too long is found once") { store in
            let tag = QueryField.elements(of: "tags")
            let byTag = [IndexDefinition(tag)]
            let long = Value.string(String(repeating: "l", count: 600))
            try await store.declaring(byTag).write { transaction in
                for (id, others) in [("1", []), ("2", [long]), ("3", []), ("4", [long])] {
                    let record: Record = ["tags": .array([.string("a")] + others)]
                    try transaction.put(record, for: key(id))
                }
            }
            for limit in [nil, 1, 2, 3] {
                var ids: [String] = []
                var cursor: RecordQuery.Cursor?
                repeat {
                    let query = RecordQuery(
                        "c", where: .compare(tag, .equal, .string("a")), limit: limit, after: cursor, indexes: byTag)
                    let page = try await store.read { try $0.records(matching: query) }
                    ids += page.entries.map(\.key.id)
                    cursor = page.next
                } while cursor != nil && ids.count < 10
                #expect(ids == ["1", "2", "3", "4"], "limit \(limit.map(String.init) ?? "none")")
            }
        },
        .init("an index that a query within a write uses contains later changes of the write") { store in
            let covering = [IndexDefinition.on("n", isCovering: true)]
            // The second of the two writes finds the index and makes it covering.
            for (write, asked) in [byNumber, covering].enumerated() {
                let query = RecordQuery("c", where: .compare(number, .equal, .integer(1)), indexes: asked)
                let texts = try await store.declaring(byNumber).write { transaction in
                    for (ids, step) in [(["1", "2"], "before"), (["2", "3"], "after")] {
                        for id in ids {
                            let record: Record = ["n": .integer(1), "text": .string("\(write) \(step)")]
                            try transaction.put(record, for: key(id))
                        }
                        _ = try transaction.records(matching: query)
                    }
                    return try transaction.records(matching: query).entries.map { $0.record["text"] }
                }
                #expect(texts == ["before", "after", "after"].map { .string("\(write) \($0)") })
                let reports = try await store.declaring(asked).checkIndexes()
                let areCorrect = reports.allSatisfy(\.matchesRecords)
                #expect(areCorrect, "\(reports)")
            }
        },
        .init("removing a collection removes its index entries") { store in
            let covering = [IndexDefinition.on("n", isCovering: true)]
            try await store.fill(20, knowing: covering)
            let count = try await store.write { try $0.removeAll(in: Scan("c")) }
            #expect(count == 20)
            let reports = try await store.declaring(covering).checkIndexes()
            #expect(reports.map(\.entryCount) == [0])
        },
        .init("a write outside of a schema invalidates indexes, and they can be rebuilt") { store in
            try await store.fill(20, knowing: byNumber)
            try await store.put(["n": .integer(100)], key("unknown to the index"))
            let query = RecordQuery("c", where: .compare(number, .greater, .integer(18)), indexes: byNumber)
            #expect(try await store.ids(query) == ["0019", "unknown to the index"])
            try await store.declaring(byNumber).buildIndexes()
            let report = try await store.read { try $0.explain(query) }
            #expect(report.index == "n" && report.foundCount == 2)
            try await store.expectCorrectIndexes(byNumber)
        },
        .init("an index of many existing records is built in steps") { store in
            let count = 2500
            try await store.fill(count, knowing: [])
            // A write between two steps must also update the index.
            try await store.declaring(byNumber).write { transaction in
                try transaction.put(["n": .integer(-1)], for: key("0003"))
                try transaction.remove(key("2000"))
            }
            let least = RecordQuery("c", sort: [.ascending(number)], limit: 2, indexes: byNumber)
            let before = try await store.ids(least)
            var seen: [Int] = []
            try await store.declaring(byNumber).buildIndexes { name, count in
                #expect(name == "c by n")
                seen.append(count)
            }
            #expect(seen == seen.sorted())
            try await store.expectCorrectIndexes(byNumber)
            let report = try await store.read { try $0.explain(least) }
            #expect(report.index == "n" && report.entryCount == 2)
            #expect(try await store.ids(least) == before && before == ["0003", "0000"])
        },
        .init("an index is built during concurrent writes") { store in
            try await store.fill(2500, knowing: [])
            try await concurrently(5) { task in
                guard task > 0 else { return try await store.declaring(byNumber).buildIndexes() }
                for round in 0..<10 {
                    let id = String(String(10_000 + (task * 613 + round * 257) % 2600).dropFirst())
                    let record: Record? = round % 3 == 0 ? nil : ["n": .integer(Int64(-round))]
                    try await store.declaring(byNumber).write { try $0.apply([(key(id), record)]) }
                }
            }
            try await store.expectCorrectIndexes(byNumber)
        },
        .init("a unique value is rejected for a second record") { store in
            let unique = [IndexDefinition.unique("text")]
            let long = String(repeating: "x", count: 600)
            func put(_ id: String, _ text: String?) async throws {
                var record: Record = ["n": .integer(1)]
                record["text"] = text.map { .string($0) }
                try await store.declaring(unique).write { [record] transaction in
                    try transaction.put(record, for: key(id))
                }
            }
            for (id, text) in [("a", "one"), ("b", nil), ("c", nil), ("d", long)] { try await put(id, text) }
            // The same record may keep its value.
            try await put("a", "one")
            for text in ["one", long] {
                let error = await expect(.notUnique, "the same text") { try await put("b", text) }
                #expect(error?.conflict?.id == (text == "one" ? "a" : "d") && error?.key == "c/b")
                #expect(error?.conflict?.collection == "c" && error?.conflict?.fields == ["text"])
            }
            let unchanged = try await store.record(for: key("b"))
            #expect(unchanged == ["n": .integer(1)])
            try await store.expectCorrectIndexes(unique)
            try await put("a", "two")
            try await put("b", "one")
            try await store.declaring(unique).write { transaction in
                try transaction.remove(key("d"))
                try transaction.put(["text": .string(long)], for: key("c"))
            }
            try await store.expectCorrectIndexes(unique)
        },
        .init("a unique index of records with equal values is not built") { store in
            let unique = [IndexDefinition.unique("text")]
            try await store.put(["text": .string("same")], key("a"))
            try await store.put(["text": .string("same")], key("b"))
            let error = await expect(.notUnique, "two records") { try await store.declaring(unique).buildIndexes() }
            #expect(error?.description.contains("c/a") == true && error?.description.contains("c/b") == true)
            // A write that removes the duplicate is accepted.
            try await store.declaring(unique).write { transaction in
                try transaction.put(["text": .string("other")], for: key("b"))
            }
            try await store.declaring(unique).buildIndexes()
            _ = await expect(.notUnique, "the index is enforced") {
                try await store.declaring(unique).write { transaction in
                    try transaction.put(["text": .string("same")], for: key("c"))
                }
            }
        },
        .init("a write that throws leaves an index unchanged") { store in
            try await store.fill(10, knowing: byNumber)
            await #expect(throws: Interruption(number: 1)) {
                try await store.declaring(byNumber).write { transaction in
                    try transaction.put(["n": .integer(50)], for: key("0001"))
                    try transaction.remove(key("0002"))
                    throw Interruption(number: 1)
                }
            }
            try await store.expectCorrectIndexes(byNumber)
        },
        .init("indexes match the records after random writes") { store in
            var generator = SeededGenerator()
            print("indexes match the records after random writes: seed \(generator.seed)")
            let indexes = IndexDefinition.queried.enumerated().map { position, index in
                IndexDefinition(index.field, isCovering: position.isMultiple(of: 2))
            }
            for _ in 0..<60 {
                let changes = try (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    let id = generator.pick(["a", "b", "c", "d", "e", "f"])
                    let record = Int.random(in: 0..<4, using: &generator) == 0 ? nil : Record.queried(using: &generator)
                    return (try key(id), record)
                }
                let knows = Int.random(in: 0..<20, using: &generator) > 0
                let writer: any DataStore = knows ? try store.declaring(indexes) : store
                try await writer.write { try $0.apply(changes) }
                let reports = try await store.declaring(indexes).checkIndexes()
                let areCorrect = reports.allSatisfy(\.matchesRecords)
                #expect(areCorrect, "seed \(generator.seed): \(reports)")
            }
            try await store.declaring(indexes).rebuildIndexes()
            try await store.expectCorrectIndexes(indexes)
        },
    ]

    static let persistentIndexCases: [DataStoreConformance] = [
        .init(locations: "an index exists after reopening the store, or is built when it is needed") { makeSubject in
            let subject = try await makeSubject()
            var store = try await subject.open()
            try await store.fill(100, knowing: byNumber)
            await store.close()
            store = try await subject.open()
            let query = RecordQuery("c", where: .compare(number, .equal, .integer(42)), indexes: byNumber)
            let report = try await store.read { try $0.explain(query) }
            #expect(report.index == "n" && report.entryCount == 1)
            try await store.expectCorrectIndexes(byNumber)
            await store.close()
        }
    ]

    private static let number = QueryField("n")
    private static let byNumber = [IndexDefinition(number)]
}

extension DataStore {
    /// Returns a schema store that declares the collection `c` with the given indexes.
    func declaring(_ indexes: [IndexDefinition]) throws -> SchemaStore {
        SchemaStore(self, schema: try Schema([Schema.Collection("c", indexes: indexes)]))
    }

    /// Saves records `0000`, `0001`, …, each with its number as an integer and as text. The write maintains the
    /// given indexes.
    func fill(_ count: Int, knowing indexes: [IndexDefinition]) async throws {
        let store: any DataStore = indexes.isEmpty ? self : try declaring(indexes)
        try await store.write { transaction in
            for number in 0..<count {
                let id = String(String(10_000 + number).dropFirst())
                let record: Record = ["n": .integer(Int64(number)), "text": .string("\(number)")]
                try transaction.put(record, for: DataStoreConformance.key(id))
            }
        }
    }

    /// Expects that the indexes are complete and match the records.
    func expectCorrectIndexes(
        _ indexes: [IndexDefinition], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for index in indexes {
            // A store in memory builds an index when a query needs it.
            let fields = index.field.components.isEmpty ? [index.field] : index.field.components
            let isZero = fields.map { Condition.compare($0, .equal, .integer(0)) }
            let query = RecordQuery("c", where: .and(isZero), limit: 1, indexes: [index])
            _ = try await read { try $0.explain(query) }
        }
        let names = indexes.map(\.name)
        let reports = try await declaring(indexes).checkIndexes().filter { names.contains($0.name) }
        let areCorrect =
            reports.count == names.count && reports.allSatisfy { $0.matchesRecords && $0.state == .ready }
        #expect(areCorrect, "\(reports)", sourceLocation: sourceLocation)
    }
}
