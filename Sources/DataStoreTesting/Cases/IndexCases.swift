import Testing

extension DataStoreConformance {
    static let indexCases: [DataStoreConformance] = [
        .init("a query by an index reads few entries beyond its matches") { store in
            let status = QueryField("status")
            let indexes = byNumber + [.on("status", "n"), .on("status")]
            try await store.fill(200, knowing: indexes)
            let seven = Condition.compare(number, .equal, .integer(7))
            let isOpen = Condition.compare(status, .equal, .string("open"))
            let end = Condition.and([
                .text(.id, TextMatch(.begins, "01")), .compare(.id, .greaterOrEqual, .string("0190")),
            ])
            // All ids have this prefix.
            let begun = Condition.text(.id, TextMatch(.begins, "0"))
            let ids = ["0007", "0100", "none"].map(Value.string) + [.integer(7)]
            for (condition, sort, limit, index, entryCount, recordCount, foundCount) in [
                (seven, [], nil, "n", 1, 1, 1),
                (.between(number, .integer(10), .integer(19)), [], nil, "n", 10, 10, 10),
                (nil, [.descending(number)], 5, "n", 5, 5, 5),
                (.compare(QueryField("text"), .equal, .string("7")), [], nil, nil, 0, 200, 1),
                (.isIn(.id, ids), [], nil, "id", 0, 2, 2), (end, [.descending(number)], nil, "id", 0, 10, 10),
                (.and([begun, seven]), [], nil, "n", 1, 1, 1), (begun, [.ascending(number)], 3, "n", 3, 3, 3),
                // A compound index answers equality with a range, and the sort that follows.
                (.and([isOpen, .compare(number, .greaterOrEqual, .integer(170))]), [], nil, "[status, n]", 10, 10, 10),
                (isOpen, [.ascending(number)], 5, "[status, n]", 5, 5, 5),
                (isOpen, [.descending(number)], 5, "[status, n]", 5, 5, 5),
                (nil, [.ascending(status), .ascending(number)], 5, "[status, n]", 5, 5, 5),
            ] as [(Condition?, [RecordQuery.SortKey], Int?, String?, Int, Int, Int)] {
                let query = RecordQuery("c", where: condition, sort: sort, limit: limit, indexes: indexes)
                let report = try await store.explain(query)
                #expect(report.index == index && report.foundCount == foundCount, "\(report)")
                #expect(report.entityCount == recordCount, "\(report)")
                #expect(index == "id" || report.entryCount == entryCount, "\(report)")
                #expect(sort.isEmpty || index == "id" || report.isInOrder, "\(report)")
            }
            try await store.expectCorrectIndexes(indexes)
        },
        .init("many records with equal values follow in the order of the query, page by page") { store in
            let other = QueryField("other")
            var rows: [(id: Int64, n: Int64, other: Int64)] = []
            for (n, count) in [1, 64, 2, 65, 100].enumerated() {
                for _ in 0..<count { rows.append((Int64(1000 + rows.count), Int64(n), Int64(rows.count * 37 % 101))) }
            }
            try await store.declaring(byNumber).put(
                rows.map { ("\($0.id)", ["n": .integer($0.n), "other": .integer($0.other)]) })
            for (sort, ranks) in [
                ([.descending(number)], rows.map { [-$0.n, $0.id] }),
                ([.descending(number), .ascending(other)], rows.map { [-$0.n, $0.other, $0.id] }),
                ([.ascending(number), .descending(other)], rows.map { [$0.n, -$0.other, $0.id] }),
            ] as [([RecordQuery.SortKey], [[Int64]])] {
                let expected = ranks.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { $0.last.map { "\($0)" } }
                for limit in [nil, 30] {
                    let query = RecordQuery("c", sort: sort, limit: limit, indexes: byNumber)
                    #expect(try await store.pagedEntries(query).map(\.key.id) == expected)
                }
            }
        },
        .init("a query by a covering index reads no records") { store in
            try await store.fill(20, knowing: covering)
            let long = Value.array(Array(repeating: .integer(1), count: 100))
            // The first record keeps its indexed value. The value of the second one is too long for an index key.
            try await store.declaring(covering).put([
                "0007": ["n": .integer(7), "text": .string("new")], "0008": ["n": long, "text": .string("8")],
                "0009": ["text": .string("none")],
            ])
            try await store.expectCorrectIndexes(covering)
            for (value, text) in [(.integer(7), "new"), (long, "8"), (.integer(6), "6")] as [(Value, String)] {
                let query = RecordQuery("c", where: .compare(number, .equal, value), indexes: covering)
                let found = try await store.read { try $0.records(matching: query).entries }
                #expect(found.map { $0.record["text"] } == [.string(text)])
            }
            let page = RecordQuery(
                "c", where: .compare(number, .greaterOrEqual, .integer(5)), sort: [.ascending(number)], limit: 3,
                indexes: covering)
            let report = try await store.explain(page)
            // The index entry of a value that is too long for a key has no position in the order, so the query always
            // reads its record.
            #expect(report.isInOrder && report.entryCount == 4 && report.entityCount == 1 && report.foundCount == 3)
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
            let after = try await store.explain(one)
            #expect(after.entryCount == 1 && after.entityCount == 0 && after.foundCount == 1)
        },
        .init("an index that a query within a write uses contains later changes of the write") { store in
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
                #expect(try await store.declaring(asked).checkIndexes().allSatisfy { $0.matchesRecords })
            }
        },
        .init(
            "an index of many records, also one that a write outside of a schema invalidated, is built in steps",
            for: [false, true]
        ) { store, isInvalid in
            try await store.fill(50, knowing: isInvalid ? byNumber : [])
            if isInvalid { try await store.put(["n": .integer(-2)], key("unknown to the index")) }
            let least = RecordQuery("c", sort: [.ascending(number)], limit: 2, indexes: byNumber)
            #expect(try await store.ids(least) == (isInvalid ? ["unknown to the index", "0000"] : ["0000", "0001"]))
            // A write between two steps must also update the index.
            try await store.declaring(byNumber).write { transaction in
                try transaction.put(["n": .integer(-1)], for: key("0003"))
                try transaction.remove(key("0040"))
            }
            let before = try await store.ids(least)
            var seen: [Int] = []
            try await store.declaring(byNumber).buildIndexes { name, count in
                #expect(name == "c by n")
                seen.append(count)
            }
            #expect(seen == seen.sorted())
            try await store.expectCorrectIndexes(byNumber)
            let report = try await store.explain(least)
            #expect(report.index == "n" && report.entryCount == 2)
            #expect(before == (isInvalid ? ["unknown to the index", "0003"] : ["0003", "0000"]))
            #expect(try await store.ids(least) == before)
        },
        .init("an index is built during concurrent writes") { store in
            try await store.fill(90, knowing: [])
            try await concurrently(5) { task in
                guard task > 0 else { return try await store.declaring(byNumber).buildIndexes() }
                for round in 0..<10 {
                    let id = String(String(10_000 + (task * 613 + round * 257) % 100).dropFirst())
                    let record: Record? = round % 3 == 0 ? nil : ["n": .integer(Int64(-round))]
                    try await store.declaring(byNumber).write { try $0.apply([(key(id), record)]) }
                }
            }
            try await store.expectCorrectIndexes(byNumber)
        },
        .init("indexes match the records after random writes, and are empty without records") { store in
            var generator = SeededGenerator(printedFor: "indexes match the records after random writes")
            let indexes = IndexDefinition.queried.enumerated().map { position, index in
                IndexDefinition(index.field, isCovering: position.isMultiple(of: 2))
            }
            for _ in 0..<count(20, full: 60) {
                let changes = try (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    let id = generator.pick(["a", "b", "c", "d", "e", "f"])
                    let record = Int.random(in: 0..<4, using: &generator) == 0 ? nil : Record.queried(using: &generator)
                    return (try key(id), record)
                }
                let knows = Int.random(in: 0..<20, using: &generator) > 0
                let writer: any DataStore = knows ? try store.declaring(indexes) : store
                if Int.random(in: 0..<10, using: &generator) == 0 {
                    await writer.interruptWrite { try $0.apply(changes) }
                } else {
                    try await writer.write { try $0.apply(changes) }
                }
                let reports = try await store.declaring(indexes).checkIndexes()
                #expect(reports.allSatisfy { $0.matchesRecords }, "seed \(generator.seed)")
            }
            try await store.declaring(indexes).rebuildIndexes()
            try await store.expectCorrectIndexes(indexes)
            try await store.write { _ = try $0.removeAll(in: Scan("c")) }
            let counts = try await store.declaring(indexes).checkIndexes().map(\.entryCount)
            #expect(counts == indexes.map { _ in 0 })
        },
    ]

    private static let number = QueryField("n")
    static let byNumber = [IndexDefinition(number)]
    private static let covering = [IndexDefinition.on("n", isCovering: true)]
}

extension DataStore {
    /// Returns a schema store that declares the collection `c` with the given indexes and migrations. A step of a build
    /// processes 20 records, so that a check with few records has several steps.
    func declaring(_ indexes: [IndexDefinition], _ migrations: [Migration] = []) throws -> SchemaStore {
        var schema = try Schema([Schema.Collection("c", indexes: indexes)], migrations: migrations)
        (schema.indexStepCount, schema.migrationBatchCount) = (20, 20)
        return SchemaStore(self, schema: schema)
    }

    /// A schema store of a program that declares nothing, with the same steps.
    var undeclared: SchemaStore {
        var schema = Schema.empty
        schema.indexStepCount = 20
        return SchemaStore(self, schema: schema)
    }

    /// Saves records `0000`, `0001`, …, each with its number as an integer and as text, and two of three with a status.
    /// The write maintains the given indexes.
    func fill(_ count: Int, knowing indexes: [IndexDefinition]) async throws {
        let store: any DataStore = indexes.isEmpty ? self : try declaring(indexes)
        try await store.put(
            (0..<count).map { number in
                let id = String(String(10_000 + number).dropFirst())
                var record: Record = ["n": .integer(Int64(number)), "text": .string("\(number)")]
                record["status"] = [.string("done"), .string("open"), nil][number % 3]
                return (id, record)
            })
    }

    /// Expects that the indexes are complete and match the records.
    func expectCorrectIndexes(
        _ indexes: [IndexDefinition], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for index in indexes {
            // A store in memory builds an index when a query needs it.
            let isZero = index.field.parts.map { Condition.compare($0, .equal, .integer(0)) }
            _ = try await explain(RecordQuery("c", where: .and(isZero), limit: 1, indexes: [index]))
        }
        let names = indexes.map(\.name)
        let reports = try await declaring(indexes).checkIndexes().filter { names.contains($0.name) }
        let areCorrect = reports.count == names.count && reports.allSatisfy { $0.matchesRecords && $0.state == .ready }
        #expect(areCorrect, "\(reports)", sourceLocation: sourceLocation)
    }
}
