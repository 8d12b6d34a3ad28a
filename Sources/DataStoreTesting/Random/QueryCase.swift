/// A set of records and indexes, and a model that answers queries of them.
struct QueryCase {
    let records: [Entry]
    let indexes: [IndexDefinition]
    /// The number of records that are saved before the indexes are declared.
    let oldCount: Int

    /// Returns a random case with few fields and values, so that records have values in common.
    static func random(using generator: inout SeededGenerator) throws -> QueryCase {
        let ids = ["1", "10", "2", "a", "ab", "b", "\u{E9}", "e\u{301}", "z", "😀"].shuffled(using: &generator)
        let records = try ids.filter { _ in Int.random(in: 0..<6, using: &generator) > 0 }.map { id in
            Entry(key: try Key(collection: "queried", id: id), record: .queried(using: &generator))
        }
        let indexes = IndexDefinition.queried.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
        return QueryCase(
            records: records,
            indexes: indexes.map { IndexDefinition($0.field, isCovering: .random(using: &generator)) },
            oldCount: generator.pick([0, 3, .max]))
    }

    /// Returns a random query with or without the indexes.
    func randomQuery(using generator: inout SeededGenerator) -> RecordQuery {
        var query = RecordQuery.random(using: &generator)
        if Bool.random(using: &generator) { query.indexes = indexes }
        return query
    }

    func description(of query: RecordQuery) -> String {
        """
        \(records.map { "\($0.key.id) = \($0.record.testDescription)" }.joined(separator: "\n"))
        where \(query.condition.map { "\($0)" } ?? "everything")
        sort \(query.sort.map { "\($0.field)\($0.isDescending ? " descending" : "")" }), \
        limit \(query.limit.map(String.init) ?? "none")
        indexes \(query.indexes.map(\.name)), the first \(oldCount) records are older
        """
    }
}

extension RecordQuery {
    static func random(using generator: inout SeededGenerator) -> RecordQuery {
        if Int.random(in: 0..<3, using: &generator) == 0 { return .randomCompound(using: &generator) }
        let sort = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            SortKey.by(.random(using: &generator), isDescending: .random(using: &generator))
        }
        return RecordQuery(
            "queried",
            where: Int.random(in: 0..<8, using: &generator) == 0 ? nil : Condition.random(3, using: &generator),
            sort: sort, limit: generator.pick([nil, 0, 1, 2, 3, 5, 100, .max]))
    }

    /// Returns a random query with conditions on the first fields of a compound index and a sort by the next fields.
    private static func randomCompound(using generator: inout SeededGenerator) -> RecordQuery {
        let names = generator.pick([["a", "b"], ["b", "a"], ["text", "a", "b"]])
        let fields = names.map { QueryField($0) }
        var conditions = fields.prefix(.random(in: 0...fields.count, using: &generator)).map { field -> Condition in
            let (value, other) = (Value.queried(using: &generator), Value.queried(using: &generator))
            return switch Int.random(in: 0..<8, using: &generator) {
            case 0...3: .compare(field, .equal, value)
            case 4: .not(.exists(field))
            case 5: .isIn(field, [value, other])
            case 6: .exists(field)
            default: .compare(field, generator.pick(FilterComparison.allCases), value)
            }
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { conditions.append(.random(1, using: &generator)) }
        let isDescending = Bool.random(using: &generator)
        let first = Int.random(in: 0...fields.count, using: &generator)
        var sort = fields.dropFirst(first).prefix(.random(in: 0...2, using: &generator)).map { field in
            SortKey.by(field, isDescending: isDescending != (Int.random(in: 0..<5, using: &generator) == 0))
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { sort.append(.ascending(.id)) }
        return RecordQuery(
            "queried", where: conditions.count == 1 ? conditions[0] : .and(conditions), sort: sort,
            limit: generator.pick([nil, 1, 2, 3]))
    }
}

extension RecordQuery.SortKey {
    static func by(_ field: QueryField, isDescending: Bool) -> RecordQuery.SortKey {
        isDescending ? .descending(field) : .ascending(field)
    }
}

extension Record {
    /// Returns a random record with some of the fields that random queries use.
    static func queried(using generator: inout SeededGenerator) -> Record {
        var record = Record()
        for name in ["a", "b", "text", "list", "id"] where Int.random(in: 0..<5, using: &generator) > 0 {
            record[name] = .queried(using: &generator)
        }
        if Bool.random(using: &generator) {
            record["list"] = .array(
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    Bool.random(using: &generator)
                        ? .queried(using: &generator)
                        : .record(["a": .queried(using: &generator), "b": .queried(using: &generator)])
                })
        }
        if Bool.random(using: &generator) { record["text"] = .string(.queried(using: &generator)) }
        return record
    }
}

extension Value {
    /// Returns a random value from a small set: adjacent values, values of all kinds, and equal values of different
    /// kinds.
    fileprivate static func queried(using generator: inout SeededGenerator) -> Value {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...4: generator.pick(numbers)
        case 5, 6: .string(.queried(using: &generator))
        default: generator.pick(others)
        }
    }

    private static let numbers: [Value] = [
        .integer(0), .integer(1), .integer(2), .integer(-1), .integer(.max), .integer(.min), .integer(1 << 53 + 1),
        .real(0), .real(-0.0), .real(1), .real(1.5), .real(-0.5), .real(-1), .real(0x1p63), .real(-0x1p63),
        .real(0x1p53), .real(.nan), .real(.infinity), .real(-.infinity), .real(1e300), .real(.leastNonzeroMagnitude),
    ]

    private static let others: [Value] = [
        .bool(false), .bool(true), .data([]), .data([1]), .data([1, 2]), .data([200]),
        .date(Timestamp(seconds: -1)), .date(Timestamp(seconds: 0)),
        .date(Timestamp(seconds: 0, nanoseconds: 1) ?? Timestamp(seconds: 1)),
        .array([]), .array([.integer(1)]), .array([.real(1)]), .array([.real(.nan)]),
        .array([.integer(1), .integer(2)]), .record([:]), .record(["a": .integer(1)]), .record(["a": .real(1)]),
        .record(["b": .integer(1)]), .record(["a": .integer(1), "b": .string("a")]),
        DataStoreConformance.sealed(blind: 1), DataStoreConformance.sealed(blind: 1, 2),
        DataStoreConformance.sealed(blind: 2), DataStoreConformance.sealed(blind: nil, 13), .sealed([]),
    ]
}

extension String {
    /// Returns a random text from a small alphabet, which has two spellings of one letter, and scalars whose order
    /// differs between UTF-8 and UTF-16.
    fileprivate static func queried(using generator: inout SeededGenerator) -> String {
        let letters = [
            "a", "b", "A", "\u{E9}", "\u{C9}", "ß", "ss", "e\u{301}", "e", "\u{FFFD}", "😀", "\u{0}", "\n",
        ]
        let text = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            generator.pick(letters)
        }.joined()
        // Some texts are too long for an index key.
        return Int.random(in: 0..<20, using: &generator) == 0 ? String(repeating: "a", count: 480) + text : text
    }
}

extension TextMatch {
    /// Returns a random condition on a text. A pattern has wildcards and backslashes.
    fileprivate static func random(using generator: inout SeededGenerator) -> TextMatch {
        let kind = generator.pick(Kind.allCases)
        var text = String.queried(using: &generator)
        if kind == .like {
            let wildcards = ["*", "*", "?", "\\", "\\*"]
            text = (0..<3).map { _ in generator.pick(wildcards) + .queried(using: &generator) }.joined()
        }
        return TextMatch(
            kind, text, ignoringCase: .random(using: &generator),
            after: generator.pick([nil, nil, nil, UInt8(ascii: "b")]))
    }
}

extension QueryField {
    /// The case folding of the field `text`. It has at most one value in each record.
    static let foldedText = QueryField("text", transform: .foldedText)

    static func random(using generator: inout SeededGenerator) -> QueryField {
        let names = ["a", "a", "b", "text", "list", "id"]
        return generator.pick(names.map { QueryField($0) } + [.id, .foldedText, .elements(of: "list")])
    }
}

extension IndexDefinition {
    /// Indexes of all fields that random queries use, except the id.
    static let queried: [IndexDefinition] = [
        .on("a"), .on("b"), .on("text"), .on("list"), IndexDefinition(.foldedText), .on("list[]"), .on("list[].a"),
        .on("a", "b"), .on("b", "a"), .on("text", "a", "b"), .on("id"),
    ]
}

extension Condition {
    static func random(_ depth: Int, using generator: inout SeededGenerator) -> Condition {
        let field = QueryField.random(using: &generator)
        let conditions = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            depth > 0 ? Condition.random(depth - 1, using: &generator) : .exists(.random(using: &generator))
        }
        switch Int.random(in: 0..<(depth > 0 ? 14 : 9), using: &generator) {
        case 0...3:
            return .compare(field, generator.pick(FilterComparison.allCases), .queried(using: &generator))
        case 4:
            let count = Int.random(in: 0...3, using: &generator)
            return .isIn(field, (0..<count).map { _ in .queried(using: &generator) })
        case 5, 6: return .between(field, .queried(using: &generator), .queried(using: &generator))
        case 7:
            let text = Bool.random(using: &generator) ? field : generator.pick([QueryField("text"), .foldedText])
            return .text(text, .random(using: &generator))
        case 8: return Bool.random(using: &generator) ? .exists(field) : .text(field, .random(using: &generator))
        case 9: return .any(.elements(of: "list"), .random(depth - 1, using: &generator))
        case 10, 11: return .and(conditions)
        case 12: return .or(conditions)
        default: return .not(.random(depth - 1, using: &generator))
        }
    }
}
