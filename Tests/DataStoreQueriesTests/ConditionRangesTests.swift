import DataStoreCore
import DataStoreTesting
import Testing

@testable import DataStoreQueries

/// Tests of the index ranges for a condition.
@Suite struct ConditionRangesTests {
    private static let field = QueryField("n")

    private static let values: [Value] = [
        .integer(-1), .integer(0), .integer(1), .integer(2), .real(0.5), .real(.nan), .string(""), .string("a"),
        .string("ab"), .string("b"), .bool(true), .date(Timestamp(seconds: 0)), .data([1]), .array([.integer(1)]),
        .record(["n": .integer(1)]),
    ]

    private static func comparison(using generator: inout SeededGenerator) -> Condition {
        let value = values.randomElement(using: &generator) ?? .integer(0)
        let other = values.randomElement(using: &generator) ?? .integer(0)
        let comparisons: [FilterComparison] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        return switch Int.random(in: 0..<10, using: &generator) {
        case 0: .isIn(field, [value, other])
        case 1: .between(field, value, other)
        case 2: .text(field, TextMatch(.begins, "a"))
        case 3: .text(field, TextMatch(.contains, "b"))
        case 4: .exists(field)
        case 5: .not(.exists(field))
        default: .compare(field, comparisons.randomElement(using: &generator) ?? .equal, value)
        }
    }

    private static func condition(_ depth: Int, using generator: inout SeededGenerator) -> Condition {
        guard depth > 0, Bool.random(using: &generator) else { return comparison(using: &generator) }
        let parts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in condition(depth - 1, using: &generator) }
        return Bool.random(using: &generator) ? .and(parts) : .or(parts)
    }

    @Test("Every value that meets a condition is in its ranges, and no other value if they are exact")
    func rangesOfConditions() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        print("ranges of conditions: seed \(seed)")
        var rangeCount = 0
        for _ in 0..<2000 {
            let condition = Self.condition(2, using: &generator)
            guard let ranges = condition.ranges(of: Self.field) else { continue }
            rangeCount += 1
            for value in Self.values.map(Optional.some) + [nil] {
                var record = Record()
                record["n"] = value
                let text = value?.indexText ?? Value.missingIndexText
                let isInside = ranges.ranges.contains { range in
                    !text.lexicographicallyPrecedes(range.lower) && text.lexicographicallyPrecedes(range.end)
                }
                let isMet = try condition.test(RecordView(record)) { "id" }
                try #require(
                    !isMet || isInside, "seed \(seed): \(condition) loses \(value?.testDescription ?? "nothing")")
                try #require(
                    isMet || !isInside || !ranges.isExact,
                    "seed \(seed): \(condition) is not exact for \(value?.testDescription ?? "nothing")")
            }
        }
        #expect(rangeCount > 500)
    }

    @Test("Ranges are ordered and do not overlap")
    func orderedRanges() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        print("ordered ranges: seed \(seed)")
        for _ in 0..<2000 {
            let condition = Self.condition(2, using: &generator)
            guard let ranges = condition.ranges(of: Self.field)?.ranges else { continue }
            try #require(
                ranges.allSatisfy { $0.lower.lexicographicallyPrecedes($0.end) }, "seed \(seed): \(condition)")
            let isOrdered = zip(ranges, ranges.dropFirst()).allSatisfy { $0.end.lexicographicallyPrecedes($1.lower) }
            try #require(isOrdered, "seed \(seed): \(condition)")
        }
    }
}
