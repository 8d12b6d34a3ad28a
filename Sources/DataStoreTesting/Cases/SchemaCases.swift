import DataStoreCore
import DataStoreQueries
import Synchronization
import Testing

extension DataStoreConformance {
    static let schemaCases: [DataStoreConformance] = [
        .init("a program that does not declare an index maintains and enforces it") { store in
            try await store.declaring(unique).buildIndexes()
            try await store.declaring([]).put(["a": ["text": .string("one")], "b": ["text": .string("two")]])
            for writer in [try store.declaring([]), try store.declaring([.on("n")]), SchemaStore(store)] {
                for (id, text) in [("c", "one"), ("a", "two")] {
                    let error = await expect(.notUnique, "\(id) = \(text)") {
                        try await writer.put(["text": .string(text)], key(id))
                    }
                    #expect(error?.description.contains(text == "one" ? "c/a" : "c/b") == true)
                }
                try await writer.put(["text": .string("one")], key("a"))
            }
            try await store.expectCorrectIndexes(unique)
        },
        .init("a program that has already written enforces an index that is declared later") { store in
            let writer = try store.declaring([.on("n")])
            for id in ["a", "b"] { try await writer.put(["text": .string(id)], key(id)) }
            // After a failed write that declares the index, later writes must still find the index once it is declared.
            await #expect(throws: Interruption.self) {
                try await store.declaring(unique).write { transaction in
                    try transaction.put(["text": .string("c")], for: key("c"))
                    throw Interruption(number: 1)
                }
            }
            try await writer.put(["text": .string("c")], key("c"))
            try await store.declaring(unique).buildIndexes()
            await expect(.notUnique, "the other program built the index") {
                try await writer.put(["text": .string("a")], key("b"))
            }
            for exists in [true, false] {
                #expect(try await store.declaring([]).removeIndex(of: "c", named: "text") == exists)
            }
            try await writer.put(["text": .string("a")], key("b"))
            try await store.expectCorrectIndexes([.on("n")])
        },
        .init("a compound index answers equality with a range, and the sort that follows") { store in
            let indexes = [IndexDefinition.on("status", "n"), .on("status")]
            try await store.declaring(indexes).put(
                (0..<60).map { number in
                    var record: Record = ["n": .integer(Int64(number * 7 % 60))]
                    record["status"] = [.string("done"), .string("open"), nil][number % 3]
                    return (String(100 + number), record)
                })
            let (status, number) = (QueryField("status"), QueryField("n"))
            let isOpen = Condition.compare(status, .equal, .string("open"))
            for (condition, sort, entryCount) in [
                (.and([isOpen, .compare(number, .greaterOrEqual, .integer(40))]), [], 7),
                (isOpen, [.ascending(number)], 5), (isOpen, [.descending(number)], 5),
                (nil, [.ascending(status), .ascending(number)], 5),
            ] as [(Condition?, [RecordQuery.SortKey], Int)] {
                let limit = sort.isEmpty ? nil : 5
                let query = RecordQuery("c", where: condition, sort: sort, limit: limit, indexes: indexes)
                let report = try await store.explain(query)
                #expect(report.index == "[status, n]" && report.isInOrder == !sort.isEmpty)
                #expect(report.foundCount == entryCount && report.entityCount == entryCount)
                var scan = query
                scan.indexes = []
                let expected = try await store.read { [scan] in try $0.records(matching: scan) }
                #expect(try await store.read { try $0.records(matching: query) } == expected)
            }
            try await store.expectCorrectIndexes(indexes)
        },
        .init("a unique compound index rejects a second record with the same values") { store in
            let indexes = [IndexDefinition.unique("text", "n")]
            try await store.declaring(indexes).buildIndexes()
            let long = String(repeating: "l", count: 600)
            // A program that does not declare the index enforces it, too. Records that lack a value are exempt.
            for writer in [try store.declaring(indexes), try store.declaring([])] {
                for text in ["same", long] {
                    let record: Record = ["text": .string(text), "n": .integer(1)]
                    try await writer.put(record, key("a" + String(text.utf8.count)))
                    let error = await expect(.notUnique, "the same values") { try await writer.put(record, key("b")) }
                    #expect(error?.conflict?.fields == ["text", "n"] && error?.conflict?.id.first == "a")
                    #expect(error?.reason.contains("the same values of the unique fields text, n;") == true)
                    let incomplete: Record = ["text": .string(text)]
                    let other: Record = ["text": .string(text), "n": .integer(2)]
                    try await writer.put(["c": other, "d": incomplete, "e": incomplete])
                }
            }
            let reports = try await store.declaring(indexes).checkIndexes()
            let areCorrect = reports.count == 1 && reports.allSatisfy { $0.matchesRecords && $0.isUnique }
            #expect(areCorrect, "\(reports)")
        },
        .init("a compound index of elements of an array, or of an unknown field, is rejected") { store in
            for index in [IndexDefinition.on("a", "tags[]"), .on("a", ""), .on("a[", "b")] {
                await expect(.misuse, "\(index)") { _ = try store.declaring([index]) }
            }
        },
        .init("each of several values that are too long for an index is found and unique") { store in
            let texts = ["x", "y", "z"].map { Value.string(String(repeating: $0, count: 600)) }
            let indexes = [IndexDefinition.unique("tags[]")]
            let writer = try store.declaring(indexes)
            try await writer.put(["tags": .array([texts[0], texts[1], .string("s")])], key("a"))
            for taken in [texts[1], .string("s")] {
                await expect(.notUnique, "a value of another record") {
                    try await writer.put(["tags": .array([texts[2], taken])], key("b"))
                }
            }
            try await writer.put(["tags": .array([texts[0], texts[2]])], key("a"))
            try await writer.put(["tags": .array([texts[1]])], key("b"))
            try await store.expectCorrectIndexes(indexes)
            for (text, id) in zip(texts, ["a", "b", "a"]) {
                for sort in [[], [RecordQuery.SortKey.descending(.id)]] {
                    let condition = Condition.compare(indexes[0].field, .equal, text)
                    #expect(try await store.ids(.init("c", where: condition, sort: sort, indexes: indexes)) == [id])
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
        .init("a stored field that is named id is not the id") { store in
            let indexes = [IndexDefinition.on("id")]
            try await store.declaring(indexes).put(["a": ["id": .string("b")], "b": ["id": .string("a")]])
            for (field, found) in [(QueryField.id, "a"), (QueryField("id"), "b")] {
                for condition in [
                    Condition.compare(field, .equal, .string("a")), .not(.compare(field, .notEqual, .string("a"))),
                    .text(field, TextMatch(.contains, "a")),
                ] {
                    #expect(try await store.ids(RecordQuery("c", where: condition, indexes: indexes)) == [found])
                }
            }
        },
        .init("duplicates of one unique field do not concern a program that declares another") { store in
            try await store.declaring([.unique("text"), .unique("n")]).buildIndexes()
            let same = Value.string("same")
            try await store.put(["a": ["text": same, "n": .integer(1)], "b": ["text": same, "n": .integer(2)]])
            let other = try store.declaring([.unique("n")])
            try await other.buildIndexes()
            try await other.remove(key("b"))
            try await store.declaring([.unique("text"), .unique("n")]).buildIndexes()
            try await store.expectCorrectIndexes([.unique("text"), .unique("n")])
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
            await expect(.notUnique, "the same address") {
                try await writer.put(["mail": .string("Tokyo@EXAMPLE.com")], key("9"))
            }
            try await store.expectCorrectIndexes(indexes)
        },
        .init("an index of an old form of a field is named together with the new one") { store in
            let new = IndexDefinition.unique("text", transform: .asciiLowercase)
            try await store.declaring([.unique("text"), .unique("n")]).buildIndexes()
            let writer = try store.declaring([new, .unique("n")])
            try await writer.buildIndexes()
            let replacements = try await writer.indexes().map { "\($0.name) \($0.replacement ?? "-")" }
            #expect(Set(replacements) == ["text \(new.name)", "\(new.name) -", "n -"])
            let advice = try await writer.indexes().compactMap(\.advice)
            #expect(advice.count == 1 && advice[0].hasSuffix("run profile-cli store indexes drop c text"), "\(advice)")
            // A program that does not declare the collection cannot know which of the indexes is needed.
            let others = try await SchemaStore(store).indexes()
            #expect(others.allSatisfy { $0.replacement == nil } && others.compactMap(\.advice).count == 1, "\(others)")
            #expect(others.first { $0.name == "text" }?.advice?.contains("if no program declares text") == true)

            try await writer.put(["text": .string("a"), "n": .integer(1)], key("1"))
            let old = await expect(.notUnique, "the old index") {
                try await writer.put(["text": .string("a"), "n": .integer(2)], key("2"))
            }
            #expect(old?.description.contains("run profile-cli store indexes drop c text") == true, "\(old as Any)")
            let current = await expect(.notUnique, "a current index") {
                try await writer.put(["text": .string("b"), "n": .integer(1)], key("2"))
            }
            #expect(current?.description.contains("profile-cli") == false, "\(current as Any)")
            try await writer.removeIndex(of: "c", named: "text")
            #expect(try await writer.indexes().allSatisfy { $0.replacement == nil })
        },
        .init("a schema rejects invalid and repeated declarations") { _ in
            for (collections, code) in [
                ([Schema.Collection("a"), Schema.Collection("a")], DataStoreError.Code.misuse),
                ([Schema.Collection("")], .invalidKey), ([Schema.Collection("a\0")], .invalidKey),
                ([Schema.Collection("a", indexes: [.on("")])], .misuse),
                ([Schema.Collection("a", indexes: [.on("b.")])], .misuse),
                ([Schema.Collection("a", indexes: [.on("b[")])], .misuse),
                ([.init("a", indexes: [.on("b"), .on("d")], fields: .record(["b": .unknown]))], .misuse),
            ] {
                let error = #expect(throws: DataStoreError.self) { try Schema(collections) }
                #expect(error?.code == code, "\(String(describing: error))")
            }
        },
    ]

    /// Requirements for indexes of collections with few records, which a write indexes itself, and with more.
    static let indexBuildCases: [DataStoreConformance] = [
        .init("a field that becomes unique rejects duplicates, however many records there are") { store in
            for count in [10, 30] {
                try await store.fill(count, knowing: [])
                let writer = try store.declaring(unique)
                let error = await expect(.notUnique, "\(count) records") {
                    try await writer.put(["text": .string("5")], key("x"))
                }
                #expect(error?.description.contains("c/0005") == true)
                try await writer.put(["text": .string("new")], key("x"))
                try await store.expectCorrectIndexes(unique)
                try await store.declaring([]).removeIndex(of: "c", named: "text")
            }
        },
        .init("a unique index that a raw write has invalidated is rebuilt before it is needed") { store in
            for count in [10, 30] {
                try await store.fill(count, knowing: unique)
                try await store.put(["text": .string("raw")], key("raw"))
                // The write comes from an older program, which does not declare the unique field.
                let error = await expect(.notUnique, "\(count) records") {
                    try await store.undeclared.put(["text": .string("raw")], key("x"))
                }
                #expect(error?.description.contains("c/raw") == true)
                _ = try await store.write { try $0.removeAll(in: Scan("c")) }
            }
        },
        .init("all writes that wait for the same rebuild of a unique index succeed") { store in
            try await store.fill(50, knowing: unique)
            try await store.put(["text": .string("raw")], key("raw"))
            try await concurrently(20) { number in
                try await store.undeclared.put(["text": .string("new \(number)")], key("new \(number)"))
            }
            try await store.expectCorrectIndexes(unique)
        },
        .init("duplicates of a raw write are reported, and a program can repair them") { store in
            for count in [10, 30] {
                try await store.fill(count, knowing: unique)
                try await store.put(["text": .string("7")], key("raw"))
                let writer = try store.declaring(unique)
                // In a small collection, the write scans for equal values and throws `notUnique`. In a large one, a
                // store may throw `indexNotReady` instead.
                let error = try await storeError { try await writer.put(["text": .string("7")], key("x")) }
                #expect(error?.code == .notUnique || error?.code == .indexNotReady)
                #expect(error?.description.contains("c/0007") == true)
                await expect(.notUnique, "the index cannot be rebuilt") { try await writer.buildIndexes() }
                // A program that does not declare the unique index can still build its own indexes.
                try await store.undeclared.buildIndexes()
                try await writer.remove(key("raw"))
                try await writer.put(["text": .string("raw")], key("raw"))
                try await writer.buildIndexes()
                try await store.expectCorrectIndexes(unique)
                _ = try await store.write { try $0.removeAll(in: Scan("c")) }
            }
        },
        .init("an index of ids with equal spellings is built to its end") { store in
            // Two steps end at ids that are canonically equivalent.
            let ids = (0..<19).map { "\(10 + $0)" } + ["a\u{301}"] + (0..<19).map { "b\(10 + $0)" } + ["\u{E1}"]
            try await store.put(ids.map { ($0, ["n": .integer(1)]) })
            try await store.declaring([.on("n")]).buildIndexes()
            try await store.expectCorrectIndexes([.on("n")])
        },
        .init("a unique field that was declared over duplicates is not declared") { store in
            try await store.fill(50, knowing: [])
            try await store.put(["text": .string("49")], key("x"))
            await expect(.notUnique, "the build") { try await store.declaring(unique).buildIndexes() }
            // Older programs continue to work.
            try await store.undeclared.put(["text": .string("49")], key("y"))
            let reports = try await SchemaStore(store).checkIndexes()
            #expect(reports.allSatisfy { !$0.isUnique }, "\(reports)")
        },
    ]

    static let persistentSchemaCases: [DataStoreConformance] = [
        .init(locations: "a unique field is enforced after the store is opened again") { makeSubject in
            // The field is declared over the records of a collection, or of an empty one.
            for count in [20, 0] {
                let subject = try await makeSubject()
                var store = try await subject.open()
                try await store.fill(count, knowing: unique)
                try await store.declaring(unique).buildIndexes()
                await store.close()
                store = try await subject.open()
                if count == 0 { try await SchemaStore(store).put(["text": .string("3")], key("a")) }
                await expect(.notUnique, "by a program that does not declare it") { [store] in
                    try await SchemaStore(store).put(["text": .string("3")], key("x"))
                }
                try await SchemaStore(store).removeIndex(of: "c", named: "text")
                await store.close()
                store = try await subject.open()
                try await SchemaStore(store).put(["text": .string("3")], key("x"))
                await store.close()
            }
        }
    ]

    private static let unique: [IndexDefinition] = [.unique("text")]
}
