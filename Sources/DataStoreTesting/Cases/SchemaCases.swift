import Synchronization
import Testing

extension DataStoreConformance {
    static let schemaCases: [DataStoreConformance] = [
        .init("a unique value is rejected for a second record, whichever program writes it", for: uniqueIndexes) {
            store, input in
            let (index, accepted) = input
            let long = Value.string(String(repeating: "l", count: 600))
            let values = [(one, one), (long, long), (sealed(blind: 1), sealed(blind: 1, 9))]
            let paths = index.field.parts.map(\.path)
            @Sendable func record(_ text: Value) -> Record { ["text": text, "n": .integer(1)] }
            try await store.declaring([index]).put(["b": [:]])
            let writers = try [[index], [], [.on("n")]].map { try store.declaring($0) } + [SchemaStore(store)]
            for writer in writers {
                for (number, (value, same)) in values.enumerated() {
                    // The same record may keep its value.
                    try await writer.put(record(value), key("a\(number)"))
                    for id in ["b", "new"] {
                        let error = try await writer.expectRejected(
                            record(same), key(id), naming: "c/a\(number)", paths.joined(separator: ", ") + ";")
                        #expect(error?.key == "c/\(id)" && error?.conflict?.fields == paths)
                        #expect(error?.conflict?.collection == "c" && error?.conflict?.id == "a\(number)")
                    }
                }
            }
            #expect(try await store.record(for: key("b")) == [:])
            let writer = try store.declaring([])
            try await writer.put(accepted.enumerated().map { ("accepted \($0)", $1) })
            try await writer.put([
                "opaque": record(sealed(blind: nil, 11)), "other": record(sealed(blind: nil, 12)),
                "a0": record(.string("two")),
            ])
            try await writer.put(record(one), key("b"))
            try await writer.write { transaction in
                try transaction.remove(key("a1"))
                try transaction.put(record(long), for: key("new"))
            }
            try await store.expectCorrectIndexes([index])
            // Sealed values are equal if they have equal blinds.
            let isSealed = Condition.isIn(QueryField("text"), [sealed(blind: 1, 7), sealed(blind: nil, 12)])
            #expect(try await store.ids(RecordQuery("c", where: isSealed, indexes: [index])) == ["a2"])
        },
        .init("a program that has already written enforces an index that is declared later") { store in
            let writer = try store.declaring([.on("n")])
            for id in ["a", "b"] { try await writer.put(["text": .string(id)], key(id)) }
            // After a failed write that declares the index, later writes must still find the index once it is declared.
            try await store.declaring(unique).interruptWrite { try $0.put(["text": .string("c")], for: key("c")) }
            try await writer.put(["text": .string("c")], key("c"))
            try await store.declaring(unique).buildIndexes()
            try await writer.expectRejected(["text": .string("a")], key("b"))
            for exists in [true, false] {
                #expect(try await store.declaring([]).removeIndex(of: "c", named: "text") == exists)
            }
            try await writer.put(["text": .string("a")], key("b"))
            try await store.expectCorrectIndexes([.on("n")])
        },
        .init("each of several values that are too long for an index is found once, and unique") { store in
            let texts = ["x", "y", "z"].map { Value.string(String(repeating: $0, count: 600)) }
            let short = Value.string("s")
            let indexes = [IndexDefinition.unique("tags[]"), .on("words[]")]
            let writer = try store.declaring(indexes)
            try await writer.put(["tags": .array([texts[0], texts[1], short])], key("a"))
            for taken in [texts[1], short] {
                try await writer.expectRejected(["tags": .array([texts[2], taken])], key("b"))
            }
            try await writer.put([
                "a": ["tags": .array([texts[0], texts[2]]), "words": .array([short])],
                "b": ["tags": .array([texts[1]]), "words": .array([short, texts[0]])],
                "c": ["words": .array([short])], "d": ["words": .array([short, texts[0]])],
            ])
            try await store.expectCorrectIndexes(indexes)
            for (field, value, ids) in zip(texts, ["a", "b", "a"]).map({ (indexes[0].field, $0, [$1]) })
                + [(indexes[1].field, short, ["a", "b", "c", "d"]), (indexes[1].field, texts[0], ["b", "d"])]
            {
                for (isDescending, limit) in [(false, nil), (false, 1), (false, 2), (false, 3), (true, 1)] {
                    let query = RecordQuery(
                        "c", where: .compare(field, .equal, value), sort: isDescending ? [.descending(.id)] : [],
                        limit: limit, indexes: indexes)
                    let found = try await store.pagedEntries(query).map(\.key.id)
                    #expect(found == (isDescending ? ids.reversed() : ids), "\(field), limit \(limit ?? -1)")
                }
            }
        },
        .init("a condition on arrays within arrays finds the same with an index") { store in
            let indexes = [IndexDefinition.on("a[].b[].n")]
            func record(_ numbers: Int64...) -> Record {
                ["a": .array([.record(["b": .array(numbers.map { .record(["n": .integer($0)]) })])])]
            }
            try await store.declaring(indexes).put(["both": record(1, 5), "one": record(1), "none": record(7)])
            // Different elements of b may meet the two comparisons.
            let condition = Condition.any(
                .elements(of: "a"),
                .and([
                    .any(.elements(of: "b"), .compare(QueryField("n"), .less, .integer(3))),
                    .any(.elements(of: "b"), .compare(QueryField("n"), .greater, .integer(3))),
                ]))
            for indexes in [[], indexes] {
                #expect(try await store.ids(RecordQuery("c", where: condition, indexes: indexes)) == ["both"])
            }
        },
        .init("programs with different schemas write at once, and no duplicate is accepted") { store in
            let schemas = [unique, unique + [.on("n")], [.on("n", isCovering: true)], []]
            try await store.declaring(unique).buildIndexes()
            let savedCount = Atomic(0)
            try await concurrently(schemas.count) { writer in
                let store = try store.declaring(schemas[writer])
                for number in 0..<20 {
                    let record: Record = ["text": .string("\(number)"), "n": .integer(Int64(writer))]
                    do {
                        try await store.put(record, key("\(writer)-\(number)"))
                        savedCount.add(1, ordering: .relaxed)
                    } catch let error as DataStoreError where error.code == .notUnique {}
                }
            }
            let texts = try await store.entries().map { $0.record["text"] }
            #expect(texts.count == 20 && Set(texts).count == 20 && savedCount.load(ordering: .relaxed) == 20)
            try await store.expectCorrectIndexes(unique)
        },
        .init("fields within records and arrays are indexed") { store in
            let indexes: [IndexDefinition] = [
                .on("place.name"), .on("tags[]"), .on("days[].date", transform: .monthDay),
                .unique("mail", transform: .asciiLowercase), .on("text", transform: .foldedText),
            ]
            let writer = try store.declaring(indexes)
            try await writer.put(
                ["Tokyo", "Osaka", "Kyoto"].enumerated().map { number, name in
                    let record: Record = [
                        "place": .record(["name": .string(name)]), "tags": .array([.string("all"), .string(name)]),
                        "days": .array([.record(["date": .string("2026-1\(number)-01")])]),
                        "mail": .string("\(name)@Example.com"), "text": .string(name),
                    ]
                    return ("\(number)", record)
                })
            for (index, value, count) in [
                (indexes[0], "Osaka", 1), (indexes[1], "all", 3), (indexes[2], "11-01", 1),
                (indexes[3], "kyoto@example.com", 1), (indexes[4], "tokyo", 1),
            ] {
                let query = RecordQuery("c", where: .compare(index.field, .equal, .string(value)), indexes: indexes)
                let report = try await store.explain(query)
                #expect(report.index == index.name && report.entryCount == count && report.foundCount == count)
            }
            try await writer.expectRejected(["mail": .string("Tokyo@EXAMPLE.com")], key("9"))
            try await store.expectCorrectIndexes(indexes)
        },
        .init("an index of an old form of a field is named together with the new one") { store in
            let new = IndexDefinition.unique("text", transform: .asciiLowercase)
            let command = "run profile-cli store indexes drop c text"
            try await store.declaring([.unique("text"), .unique("n")]).buildIndexes()
            let writer = try store.declaring([new, .unique("n")])
            try await writer.buildIndexes()
            let replacements = try await writer.indexes().map { "\($0.name) \($0.replacement ?? "-")" }
            #expect(Set(replacements) == ["text \(new.name)", "\(new.name) -", "n -"])
            let advice = try await writer.indexes().compactMap(\.advice)
            #expect(advice.count == 1 && advice[0].hasSuffix(command), "\(advice)")
            // A program that does not declare the collection cannot know which of the indexes is needed.
            let others = try await SchemaStore(store).indexes()
            #expect(others.allSatisfy { $0.replacement == nil } && others.compactMap(\.advice).count == 1, "\(others)")
            #expect(others.first { $0.name == "text" }?.advice?.contains("if no program declares text") == true)

            try await writer.put(["text": .string("a"), "n": .integer(1)], key("1"))
            try await writer.expectRejected(["text": .string("a"), "n": .integer(2)], key("2"), naming: command)
            let current = try await writer.expectRejected(["text": .string("b"), "n": .integer(1)], key("2"))
            #expect(current?.description.contains("profile-cli") == false, "\(current as Any)")
            try await writer.removeIndex(of: "c", named: "text")
            #expect(try await writer.indexes().allSatisfy { $0.replacement == nil })
        },
        .init(
            "a unique index that is new or invalid, e.g. after a raw write, is built by a write, or reports duplicates",
            for: [(10, false), (10, true), (50, false), (50, true)]
        ) { store, input in
            let (count, isKnown) = input
            let both = unique + [.unique("n")]
            try await store.fill(count, knowing: isKnown ? both : [])
            try await store.put(["text": .string("raw")], key("raw"))
            let writer = try store.declaring(unique)
            // In a small collection, the first write builds the index, and may itself be the duplicate.
            if count == 10 {
                let first = isKnown ? store.undeclared : writer
                try await first.expectRejected(["text": .string("raw")], key("x"), naming: "c/raw")
            }
            // All of these writes wait for the same build. An older program does not declare the unique field.
            try await concurrently(count / 2) { number in
                let program = isKnown ? store.undeclared : try store.declaring(unique)
                try await program.put(["text": .string("new \(number)")], key("new \(number)"))
            }
            try await store.expectCorrectIndexes(unique)
            for program in [store.undeclared, writer] {
                try await program.expectRejected(["text": .string("raw")], key("x"), naming: "c/raw")
            }
            try await store.put(["text": .string("7")], key("raw"))
            // In a small collection, the write scans for equal values and throws `notUnique`. In a large one, a
            // store may throw `indexNotReady` instead.
            let error = try await storeError { try await writer.put(["text": .string("7")], key("x")) }
            #expect(error?.code == .notUnique || error?.code == .indexNotReady)
            #expect(error?.description.contains("c/0007") == true)
            await expect(.notUnique, "the index cannot be rebuilt") { try await writer.buildIndexes() }
            // Programs that do not declare the index can build theirs, and write.
            let others = [store.undeclared, try store.declaring([.unique("n")])]
            for program in others { try await program.buildIndexes() }
            try await others[1].remove(key("raw"))
            try await writer.put(["text": .string("raw")], key("raw"))
            try await store.declaring(both).buildIndexes()
            try await store.expectCorrectIndexes(both)
        },
        .init("an index of ids with equal spellings is built to its end") { store in
            // Two steps end at ids that are canonically equivalent.
            let ids = (0..<19).map { "\(10 + $0)" } + ["a\u{301}"] + (0..<19).map { "b\(10 + $0)" } + ["\u{E1}"]
            try await store.put(ids.map { ($0, ["n": .integer(1)]) })
            try await store.declaring([.on("n")]).buildIndexes()
            try await store.expectCorrectIndexes([.on("n")])
        },
        .init("a unique field is not declared over duplicates, before a write removes them", for: [1, 50]) {
            store, count in
            try await store.fill(count, knowing: [])
            try await store.put(["text": .string("0")], key("x"))
            let writer = try store.declaring(unique)
            await expect(.notUnique, "the build", naming: ["c/0000", "c/x"]) { try await writer.buildIndexes() }
            // Older programs continue to work.
            try await store.undeclared.put(["text": .string("0")], key("y"))
            let reports = try await SchemaStore(store).checkIndexes()
            #expect(reports.allSatisfy { !$0.isUnique }, "\(reports)")
            try await store.undeclared.remove(key("y"))
            // The first write to a small collection builds the index.
            if count > 1 { try await writer.remove(key("x")) }
            try await writer.put(["text": .string("other")], key("x"))
            try await writer.buildIndexes()
            try await writer.expectRejected(["text": .string("0")], key("y"))
        },
        .init(at: "indexes exist and enforce unique fields after the store is opened again", for: [20, 0]) {
            subject, count in
            // The fields are declared over the records of a collection, or of an empty one.
            let indexes = unique + byNumber
            var store = try await subject.open()
            try await store.fill(count, knowing: indexes)
            try await store.declaring(indexes).buildIndexes()
            store = try await subject.reopen(store)
            // This program does not declare them.
            let program = SchemaStore(store)
            let record: Record = ["n": .integer(3), "text": .string("3")]
            if count == 0 { try await program.put(record, key("a")) }
            try await program.expectRejected(record, key("x"))
            let isThree = Condition.compare(byNumber[0].field, .equal, .integer(3))
            let report = try await store.explain(RecordQuery("c", where: isThree, indexes: byNumber))
            #expect(report.index == "n" && report.entryCount == 1)
            try await store.expectCorrectIndexes(indexes)
            try await program.removeIndex(of: "c", named: "text")
            store = try await subject.reopen(store)
            try await SchemaStore(store).put(record, key("x"))
            await store.close()
        },
    ]

    static let unique: [IndexDefinition] = [.unique("text")]
    private static let one = Value.string("one")

    /// Unique indexes, each with records that it accepts together, and beside a record with the text `one` and the
    /// number 1.
    private static let uniqueIndexes: [(index: IndexDefinition, accepted: [Record])] = [
        (.unique("text"), [[:], [:], ["n": .integer(1)], ["n": .integer(1)]]),
        (
            .unique("text", "n"),
            [["n": .integer(1)], ["n": .integer(1)], ["text": one], ["text": one], ["text": one, "n": .integer(2)]]
        ),
    ]
}
