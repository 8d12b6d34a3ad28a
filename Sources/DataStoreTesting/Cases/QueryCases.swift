import Testing

extension DataStoreConformance {
    static let queryCases: [DataStoreConformance] = [
        .init("conditions select the records that the contract specifies") { store in
            try await store.put(comparedValues.map { ($0.id, ["v": $0.value]) } + [("none", [:])])
            try await store.put(["elsewhere": ["v": .string("x")]], in: "d")
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
            try await store.put(
                sorted.enumerated().map { index, value in
                    var record: Record = ["position": .integer(Int64(index))]
                    record["v"] = value
                    // The order of the ids differs from the order of the sort.
                    return ("\(index * 7 % sorted.count)", record)
                })
            for isDescending in [false, true] {
                let query = RecordQuery("c", sort: [.by(QueryField("v"), isDescending: isDescending)])
                let found = try await store.read { try $0.records(matching: query).entries }
                let positions = found.map { Int($0.record.number("position")) }
                #expect(positions == (isDescending ? sorted.indices.reversed() : Array(sorted.indices)))
            }
        },
        .init(locations: "random queries match a filter and a sort in memory") { makeSubject in
            for _ in 0..<count(6, full: 40) {
                var generator = SeededGenerator(printedFor: "random queries")
                // Several queries use the same records, because filling a store takes longer than a query.
                let queryCase = try QueryCase.random(using: &generator)
                let queries = (0..<60).map { _ in queryCase.randomQuery(using: &generator) }
                try await makeSubject().open().closing { store in
                    try await queryCase.fill(store)
                    for query in queries {
                        guard let difference = try await queryCase.difference(query, store) else { continue }
                        Issue.record("seed \(generator.seed): \(difference)\n\(queryCase.description(of: query))")
                        break
                    }
                }
            }
        },
        .init("pagination is stable under concurrent writes", for: Array(0..<count(2, full: 10))) { store, round in
            var generator = SeededGenerator(printedFor: "pagination under concurrent writes")
            // Every other round uses the order of an index.
            let indexes = round.isMultiple(of: 2) ? [] : [IndexDefinition.on("a")]
            let writer = try store.declaring(indexes)
            let staying = try (0..<40).map { Entry(key: try key("s\($0)"), record: .paged(using: &generator)) }
            let others = try (0..<40).map { try key("\($0 % 2 == 0 ? "a" : "t")\($0)") }
            let first = staying.map { ($0.key, $0.record) } + others.map { ($0, .paged(using: &generator)) }
            try await writer.write { transaction in
                for (key, record) in first { try transaction.put(record, for: key) }
            }
            var query = RecordQuery(
                "c", where: .compare(QueryField("a"), .lessOrEqual, .integer(3)),
                sort: Int.random(in: 0..<4, using: &generator) == 0
                    ? [] : [.descending(QueryField("a")), .ascending(QueryField("b"))],
                limit: .random(in: 1...7, using: &generator), indexes: indexes)
            // Each record that does not change between pages is found exactly once and in order.
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
        },
        .init("an invalid query is rejected") { store in
            let cursor = RecordQuery.Cursor(values: [.integer(1)], id: "a")
            await expect(.invalidQuery, "a cursor of another sort") {
                _ = try await store.read { try $0.records(matching: RecordQuery("c", after: cursor)) }
            }
            await expect(.invalidKey, "no collection") {
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
}

/// These functions compare a store with the model of ``QueryCase``: both answer the same queries.
extension QueryCase {
    fileprivate func fill(_ store: any DataStore) async throws {
        try await store.put(records.prefix(oldCount).map { ($0.key.id, $0.record) }, in: "queried")
        let writer = SchemaStore(store, schema: try Schema([.init("queried", indexes: indexes)]))
        try await writer.put(records.dropFirst(oldCount).map { ($0.key.id, $0.record) }, in: "queried")
        try await writer.buildIndexes()
    }

    /// Returns a description of the difference between the results of a query, or `nil` if they are equal.
    fileprivate func difference(_ query: RecordQuery, _ store: any DataStore) async throws -> String? {
        let expected = QueryCase.result(of: query, from: records)
        let found = try await store.read { try $0.records(matching: query).entries }
        guard found == Array(expected.prefix(query.limit ?? .max)) else { return "found \(found), not \(expected)" }
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
        let paged = try await store.pagedEntries(query)
        return paged == expected || query.limit == 0 ? nil : "found page by page \(paged), not \(expected)"
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
