import DataStoreCore
import DataStoreQueries
import Testing

extension DataStoreConformance {
    static let queryCases: [DataStoreConformance] = [
        .init("conditions select the records that the contract specifies") { store in
            for (id, value) in comparedValues { try await store.put(["v": value], key(id)) }
            try await store.put([:], key("none"))
            try await store.put(["v": .string("x")], Key(collection: "d", id: "elsewhere"))
            let field = QueryField("v")
            let all = Set(comparedValues.map(\.id) + ["none"])
            let finite: Set = ["zero", "minus zero", "half", "one", "real one", "large"]
            let expectations: [(Condition, Set<String>)] = [
                (.compare(field, .equal, .integer(1)), ["one", "real one"]),
                (.compare(field, .notEqual, .integer(1)), all.subtracting(["one", "real one"])),
                // The integer 2⁵³ + 1 is not equal to the real 2⁵³, to which it would be rounded.
                (.compare(field, .equal, .real(0x1p53)), []),
                (.compare(field, .greater, .real(0x1p53)), ["large"]),
                (.compare(field, .less, .integer(1)), ["zero", "minus zero", "half"]),
                (.compare(field, .equal, .integer(0)), ["zero", "minus zero"]),
                (.compare(field, .equal, .real(.nan)), []),
                (.compare(field, .lessOrEqual, .real(.infinity)), finite),
                (.compare(field, .less, .string("b")), ["a", "empty"]),
                (.compare(field, .greater, .string("z")), ["composed", "decomposed mark"]),
                (.compare(field, .equal, .string("\u{E9}")), ["composed"]),
                (.compare(field, .less, .bool(true)), ["false"]),
                (.compare(field, .greaterOrEqual, .array([.integer(1)])), []),
                (.compare(field, .equal, .array([.real(1)])), ["array"]),
                (.isIn(field, [.string("a"), .real(0.5)]), ["a", "half"]),
                (.isIn(field, []), []),
                (.between(field, .real(0.5), .integer(1)), ["half", "one", "real one"]),
                (.between(field, .integer(1), .real(0.5)), []),
                (.text(field, TextMatch(.begins, "\u{65}")), []),
                (.text(field, TextMatch(.begins, "")), ["a", "empty", "composed", "decomposed mark"]),
                (.text(field, TextMatch(.contains, "\u{301}")), ["decomposed mark"]),
                (.text(field, TextMatch(.contains, "\u{C9}")), []),
                (.text(field, TextMatch(.contains, "\u{C9}", ignoringCase: true)), ["composed"]),
                (.text(field, TextMatch(.equals, "A", ignoringCase: true)), ["a"]),
                (.text(field, TextMatch(.ends, "\u{301}")), ["decomposed mark"]),
                (.text(field, TextMatch(.ends, "")), ["a", "empty", "composed", "decomposed mark"]),
                (.text(field, TextMatch(.like, "?")), ["a", "composed"]),
                (.text(field, TextMatch(.like, "?\u{301}")), ["decomposed mark"]),
                (.text(field, TextMatch(.like, "\\?")), []),
                (.text(.id, TextMatch(.like, "?INUS*", ignoringCase: true)), ["minus zero"]),
                (.exists(field), all.subtracting(["none"])),
                (.not(.exists(field)), ["none"]),
                (.not(.compare(field, .less, .integer(1))), all.subtracting(["zero", "minus zero", "half"])),
                (.and([]), all), (.or([]), []),
                (.compare(.id, .equal, .string("none")), ["none"]),
                // `any` only examines elements that are records. A comparison examines elements of all kinds.
                (.any(.elements(of: "v"), .compare(field, .equal, .integer(1))), []),
                (.compare(.elements(of: "v"), .equal, .integer(1)), ["array"]),
            ]
            for (condition, expected) in expectations {
                try #require(try await Set(store.ids(RecordQuery("c", where: condition))) == expected, "\(condition)")
            }
        },
        .init("every value has a position in a sort") { store in
            let sorted: [Value?] = [
                nil, .bool(false), .bool(true), .real(-.infinity), .integer(.min), .real(-0.5), .integer(0), .real(0.5),
                .real(0x1p53), .integer(1 << 53 + 1), .integer(.max), .real(0x1p63), .real(.infinity), .real(.nan),
                .date(Timestamp(seconds: -1)), .date(Timestamp(seconds: 0)), .string(""), .string("Z"), .string("a"),
                .string("e\u{301}"), .string("\u{E9}"), .string("\u{FFFD}"), .string("😀"), .data([]), .data([1]),
                .data([200]), .array([]), .array([.integer(1)]), .array([.integer(1), .bool(false)]),
                .array([.string("")]), .record([:]), .record(["a": .integer(1)]), .record(["b": .integer(0)]),
            ]
            try await store.write { transaction in
                for (index, value) in sorted.enumerated() {
                    var record: Record = ["position": .integer(Int64(index))]
                    record["v"] = value
                    // The order of the ids differs from the order of the sort.
                    try transaction.put(record, for: key("\(index * 7 % sorted.count)"))
                }
            }
            let positions = sorted.indices.map { Value.integer(Int64($0)) }
            for (sort, expected) in [
                (RecordQuery.SortKey.ascending(QueryField("v")), positions),
                (.descending(QueryField("v")), positions.reversed()),
            ] {
                let page = try await store.read { try $0.records(matching: RecordQuery("c", sort: [sort])) }
                #expect(page.entries.map { $0.record["position"] } == expected)
            }
        },
        .init(locations: "random queries match a filter and a sort in memory") { makeSubject in
            try await randomQueries(SeededGenerator(), makeSubject)
        },
        .init("pagination is stable under concurrent writes") { store in
            try await pageDuringWrites(store, SeededGenerator())
        },
        .init("an invalid query is rejected") { store in
            let cursor = RecordQuery.Cursor(values: [.integer(1)], id: "a")
            _ = await expect(.invalidQuery, "a cursor of another sort") {
                _ = try await store.read { try $0.records(matching: RecordQuery("c", after: cursor)) }
            }
            _ = await expect(.invalidKey, "no collection") {
                _ = try await store.read { try $0.records(matching: RecordQuery("", limit: 0)) }
            }
        },
    ]

    private static let comparedValues: [(id: String, value: Value)] = [
        ("zero", .integer(0)), ("minus zero", .real(-0.0)), ("half", .real(0.5)), ("one", .integer(1)),
        ("real one", .real(1)), ("large", .integer(1 << 53 + 1)), ("not a number", .real(.nan)), ("a", .string("a")),
        ("empty", .string("")), ("composed", .string("\u{E9}")), ("decomposed mark", .string("\u{E8}\u{301}")),
        ("false", .bool(false)), ("array", .array([.integer(1)])), ("record", .record(["a": .integer(1)])),
        ("data", .data([97])), ("date", .date(Timestamp(seconds: 1))),
    ]

    /// Returns the check that runs the random queries of one seed, to reproduce a failure.
    ///
    /// - Parameter seed: The seed that the failed check printed.
    /// - Returns: The check.
    public static func randomQueries(seed: UInt64) -> DataStoreConformance {
        .init(locations: "random queries of the seed \(seed)") { makeSubject in
            try await randomQueries(SeededGenerator(seed: seed), makeSubject)
        }
    }

    private static func randomQueries(_ generator: SeededGenerator, _ makeSubject: MakeSubject) async throws {
        var generator = generator
        print("random queries: seed \(generator.seed)")
        for _ in 0..<count(6, full: 40) {
            // Several queries use the same records, because filling a store takes longer than a query.
            var queryCase = try QueryCase.random(using: &generator)
            queryCase.oldCount = generator.pick([0, 3, .max])
            queryCase.query.indexes = IndexDefinition.randomSelection(using: &generator)
            let queries = (0..<60).map { _ in
                var query = RecordQuery.random(using: &generator)
                query.indexes = Bool.random(using: &generator) ? queryCase.query.indexes : []
                return query
            }
            guard let wrong = try await queryCase.failure(of: queries, makeSubject) else { continue }
            queryCase.query = wrong.query
            Issue.record("seed \(generator.seed): \(wrong.difference)\n\(queryCase)")
            return
        }
    }

    /// Pages through sorted records while other records are added, removed and changed between pages. Each unchanged
    /// record must be returned exactly once and in order.
    static func pageDuringWrites(_ store: any DataStore, _ generator: SeededGenerator) async throws {
        var generator = generator
        print("pagination under concurrent writes: seed \(generator.seed)")
        for round in 0..<count(2, full: 10) {
            let collection = "round \(round)"
            let staying = try (0..<40).map { id in
                Entry(key: try Key(collection: collection, id: "s\(id)"), record: .paged(using: &generator))
            }
            // Every other round uses the order of an index.
            let indexes = round.isMultiple(of: 2) ? [] : [IndexDefinition.on("a")]
            let others = try (0..<40).map { try Key(collection: collection, id: "\($0 % 2 == 0 ? "a" : "t")\($0)") }
            let changes = others.map { ($0, Record?.some(.paged(using: &generator))) }
            let schema = try Schema([Schema.Collection(collection, indexes: indexes)])
            let writer = SchemaStore(store, schema: schema)
            try await writer.write { transaction in
                for entry in staying { try transaction.put(entry.record, for: entry.key) }
                try transaction.apply(changes)
            }
            var query = RecordQuery(
                collection, where: .compare(QueryField("a"), .lessOrEqual, .integer(3)),
                sort: Int.random(in: 0..<4, using: &generator) == 0
                    ? [] : [.descending(QueryField("a")), .ascending(QueryField("b"))],
                limit: .random(in: 1...7, using: &generator), indexes: indexes)
            let expected = QueryCase.result(of: query, from: staying).map(\.key)
            var seen: [Key] = []
            repeat {
                let page = try await store.read { [query] in try $0.records(matching: query) }
                seen += page.entries.map(\.key).filter { $0.id.hasPrefix("s") }
                query.cursor = page.next
                let changes = others.shuffled(using: &generator).prefix(10).map { key in
                    (key, Bool.random(using: &generator) ? Record.paged(using: &generator) : nil)
                }
                try await writer.write { try $0.apply(changes) }
            } while query.cursor != nil && seen.count <= expected.count
            #expect(seen == expected, "seed \(generator.seed), round \(round)")
        }
    }
}

/// These functions compare a store with the model of ``QueryCase``: both answer the same queries.
extension QueryCase {
    /// Returns the first query whose results differ and a description of the difference, or `nil` if no results differ.
    fileprivate func failure(
        of queries: [RecordQuery], _ makeSubject: DataStoreConformance.MakeSubject
    ) async throws -> (query: RecordQuery, difference: String)? {
        let store = try await makeSubject().open()
        let old = records.prefix(oldCount)
        try await store.write { transaction in
            for entry in old { try transaction.put(entry.record, for: entry.key) }
        }
        let writer = SchemaStore(store, schema: try Schema([.init("queried", indexes: query.indexes)]))
        try await writer.write { transaction in
            for entry in records.dropFirst(old.count) { try transaction.put(entry.record, for: entry.key) }
        }
        try await writer.buildIndexes()
        var failure: (RecordQuery, String)?
        for query in queries where failure == nil { failure = try await difference(query, store).map { (query, $0) } }
        await store.close()
        return failure
    }

    private func difference(_ query: RecordQuery, _ store: any DataStore) async throws -> String? {
        let expected = QueryCase.result(of: query, from: records)
        var page = try await store.read { try $0.records(matching: query) }
        guard page.entries == Array(expected.prefix(query.limit ?? .max)) else {
            return "found \(page.entries), not \(expected)"
        }
        let all = RecordQuery(query.collection, where: query.condition, indexes: query.indexes)
        let count = try await store.read { try $0.count(matching: all) }
        guard count == expected.count else { return "counted \(count), not \(expected.count)" }
        let isDescending = query.sort.first?.isDescending ?? false
        for field in [QueryField("a"), QueryField("b"), .elements(of: "list")] {
            let groups = try await store.read { try $0.groups(matching: all, by: field, isDescending: isDescending) }
            let areCorrect = QueryCase.areGroups(groups.groups, by: field, isDescending, of: expected)
            guard areCorrect else { return "returned the groups \(groups) by \(field)" }
        }
        // Reading page by page must yield the same result.
        var (found, next) = (page.entries, query)
        while let cursor = page.next {
            next.cursor = cursor
            page = try await store.read { [next] in try $0.records(matching: next) }
            found += page.entries
            guard found.count <= expected.count else { break }
        }
        return found == expected || query.limit == 0 ? nil : "found page by page \(found), not \(expected)"
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
