import DataStoreCore
import DataStoreQueries
import Testing

/// Tests of the index that a query uses, and of the entries that it reads. `DataStoreConformance` has the basic ones.
@Suite struct QueryPlanTests {
    private let store: SchemaStore

    /// Writes 100 records with a number, its remainder, and two tags.
    init() async throws {
        store = SchemaStore(
            MemoryDataStore(),
            schema: try Schema([.init("c", indexes: Self.indexes)]))
        try await store.write { transaction in
            for number in 0..<100 {
                let tags: [Value] = [.string("t\(number % 3)"), .string("u\(number % 4)")]
                try transaction.put(
                    [
                        "number": .integer(Int64(number)), "remainder": .integer(Int64(number % 10)),
                        "tags": .array(tags),
                    ], for: Key(collection: "c", id: "\(1000 + number)"))
            }
        }
    }

    private static let number = QueryField("number")
    private static let remainder = QueryField("remainder")
    private static let tag = QueryField.elements(of: "tags")
    private static let indexes = [IndexDefinition(number), IndexDefinition(remainder), IndexDefinition(tag)]

    private func report(
        where condition: Condition? = nil, sort: [RecordQuery.SortKey] = [], limit: Int? = nil
    ) async throws -> QueryExplanation {
        try await store.read { transaction in
            try transaction.explain(
                RecordQuery("c", where: condition, sort: sort, limit: limit, indexes: Self.indexes))
        }
    }

    @Test("A disjunction of conditions on several indexes reads the entries of each", arguments: [nil, 100])
    func disjunction(_ limit: Int?) async throws {
        let condition = Condition.or([
            .compare(Self.remainder, .equal, .integer(3)),
            .or([.between(Self.number, .integer(10), .integer(14)), .compare(Self.tag, .equal, .string("none"))]),
        ])
        for sort in [[], [RecordQuery.SortKey.descending(.id)], [.ascending(QueryField("other"))]] {
            let report = try await report(where: .and([.exists(Self.number), condition]), sort: sort, limit: limit)
            #expect(report.index == "remainder and number and tags[]")
            #expect(report.entryCount == 15 && report.entityCount == 14 && report.foundCount == 14)
        }
        // A part without an index, or with one bound only, needs all records.
        let other = Condition.or([condition, .compare(QueryField("other"), .equal, .integer(1))])
        #expect(try await report(where: other, limit: limit).entityCount == 100)
    }

    @Test("A part of a disjunction may use a compound index")
    func compoundDisjunction() async throws {
        let indexes = [IndexDefinition(.compound([Self.remainder, Self.number])), IndexDefinition(Self.tag)]
        let condition = Condition.or([
            .and([.compare(Self.remainder, .equal, .integer(3)), .compare(Self.number, .less, .integer(50))]),
            .compare(Self.tag, .equal, .string("none")),
        ])
        let report = try await store.read { transaction in
            try transaction.explain(RecordQuery("c", where: condition, indexes: indexes))
        }
        #expect(report.index == "[remainder, number] and tags[]")
        #expect(report.entryCount == 5 && report.entityCount == 5 && report.foundCount == 5)
    }

    @Test("Single values are preferred to a range with two ends, which is preferred to a range with one end")
    func strongestCondition() async throws {
        let two = Condition.between(Self.number, .integer(10), .integer(30))
        let one = Condition.compare(Self.remainder, .greater, .integer(7))
        let points = Condition.isIn(Self.remainder, [.integer(1), .integer(2)])
        let betweenFirst = try await report(where: .and([one, two]))
        #expect(betweenFirst.index == "number" && betweenFirst.entryCount == 21 && betweenFirst.foundCount == 4)
        let pointsFirst = try await report(where: .and([two, points]))
        #expect(pointsFirst.index == "remainder" && pointsFirst.entryCount == 20 && pointsFirst.foundCount == 4)
    }

    @Test("Two ranges with one end of the same field are one range")
    func intersection() async throws {
        let report = try await report(
            where: .and([
                .compare(Self.number, .greaterOrEqual, .integer(10)), .compare(Self.number, .less, .integer(20)),
            ]))
        #expect(report.index == "number" && report.entryCount == 10 && report.foundCount == 10)
    }

    @Test("A condition with an alternative that has no index reads all records")
    func alternative() async throws {
        let report = try await report(
            where: .or([.compare(Self.number, .equal, .integer(1)), .compare(QueryField("other"), .equal, .integer(1))])
        )
        #expect(report.index == nil && report.entityCount == 100 && report.foundCount == 1)
    }

    @Test("A condition on elements finds a record once, whichever elements match")
    func elements() async throws {
        let report = try await report(where: .isIn(Self.tag, [.string("t0"), .string("u0")]))
        #expect(report.index == Self.tag.name && report.foundCount == 50)
    }

    @Test("Conditions on elements are not intersected, because each may hold for another element")
    func severalElements() async throws {
        let report = try await report(
            where: .and([.compare(Self.tag, .equal, .string("t0")), .compare(Self.tag, .equal, .string("u0"))]))
        #expect(report.index == Self.tag.name && report.foundCount == 9)
    }

    private static let reasons: [(Condition?, Int?, [(String, String)])] = [
        (nil, nil, ["number", "remainder", "tags[]"].map { ($0, "the query has no condition on \($0)") }),
        (
            .compare(remainder, .equal, .integer(3)), nil,
            ["number", "tags[]"].map { ($0, "the query has no condition on \($0)") }
        ),
        (
            .and([
                .between(number, .integer(10), .integer(30)), .compare(remainder, .greater, .integer(7)),
                .any(tag, .exists(number)),
            ]), nil,
            [
                ("remainder", "the index number fits at least as well"),
                ("tags[]", "the condition on tags[] does not limit it to ranges of values"),
            ]
        ),
        (
            .and([.isIn(.id, [.string("1007")]), .compare(number, .equal, .integer(7)), .exists(tag)]), nil,
            [
                ("number", "the condition on the id selects fewer records"),
                ("remainder", "the query has no condition on remainder"),
                ("tags[]", "the condition on tags[] does not limit it to ranges of values"),
            ]
        ),
        (
            .and([.compare(number, .greater, .integer(5)), .not(.compare(remainder, .equal, .integer(1)))]), 1,
            [
                ("number", "the page is complete sooner in the order of the ids"),
                ("remainder", "the condition on remainder does not limit it to ranges of values"),
                ("tags[]", "the query has no condition on tags[]"),
            ]
        ),
    ]

    @Test("An explanation says why each other index is not used", arguments: reasons)
    func unusedIndexes(_ condition: Condition?, _ limit: Int?, _ expected: [(String, String)]) async throws {
        let report = try await report(where: condition, limit: limit)
        #expect(report.unusedIndexes == expected.map { "index \"\($0.0)\": not used, \($0.1)" })
    }
}
