import Synchronization
import Testing

extension DataStoreConformance {
    static let migrationCases: [DataStoreConformance] = [
        .init("a migration changes, moves and removes records once, and indexes follow") { store in
            try await store.fill(9, knowing: unique)
            let runCount = Atomic(0)
            let migrations = [
                Migration("change", of: "c") { record, key -> Record? in
                    runCount.add(1, ordering: .relaxed)
                    if key.id == "0008" { return nil }
                    var record = record
                    record["text"] = .string("new \(key.id)")
                    return record
                },
                Migration("move", of: "c") { record, key -> Entry? in
                    Entry(key: try Self.key(key.id == "0003" ? "0003" : "x\(key.id)"), record: record)
                },
            ]
            for _ in 0..<2 { try await store.migrating(migrations).migrate() }
            #expect(runCount.load(ordering: .relaxed) == 9)
            #expect(
                try await store.ids(Scan("c")) == [
                    "0003", "x0000", "x0001", "x0002", "x0004", "x0005", "x0006", "x0007",
                ])
            #expect(try await store.record(for: key("x0005"))?["text"] == .string("new 0005"))
            try await store.expectCorrectIndexes(unique)
            let states = try await store.migrating(migrations).migrations()
            #expect(states.map(\.name) == ["change", "move"] && states.allSatisfy { $0.state == .applied })
            // New migrations are appended.
            let more = migrations + [.backfill("add", of: "c", "added", with: .integer(1))]
            #expect(try await store.migrating(more).migrate(dryRun: true).map(\.recordCount) == [8])
            #expect(try await store.record(for: key("0003"))?["added"] == nil)
            #expect(try await store.migrating(more).migrate().map(\.name) == ["add"])
            #expect(try await store.record(for: key("0003"))?["added"] == .integer(1))
        },
        .init("fields are renamed, converted and added, also in nested records") { store in
            try await store.write { transaction in
                let place: Record = ["nam": .string("Kyoto"), "floor": .integer(2)]
                try transaction.put(
                    [
                        "place": .record(place), "stops": .array([.record(place), .record(["nam": .string("Nara")])]),
                        "tags": .array([.integer(1), .string("two")]), "n": .integer(7),
                    ], for: key("a"))
                try transaction.put(["n": .real(0.5)], for: key("b"))
            }
            try await store.migrating([
                .renameField("1", of: "c", "place.nam", to: "name"),
                .renameField("2", of: "c", "stops[].nam", to: "name"),
                .convert("3", of: "c", "n") { value in
                    if case .integer(let number) = value { .string("\(number)") } else { nil }
                },
                .convert("4", of: "c", "tags[]") { if case .integer = $0 { nil } else { $0 } },
                .backfill("5", of: "c", "place.floor", with: .integer(0)),
                .backfill("6", of: "c", "stops[].floor", with: .integer(0)),
                .backfill("7", of: "c", "m", with: .bool(true)),
            ]).migrate()
            let place: Record = ["name": .string("Kyoto"), "floor": .integer(2)]
            let expected: Record = [
                "place": .record(place),
                "stops": .array([.record(place), .record(["name": .string("Nara"), "floor": .integer(0)])]),
                "tags": .array([.string("two")]), "n": .string("7"), "m": .bool(true),
            ]
            #expect(try await store.record(for: key("a")) == expected)
            #expect(try await store.record(for: key("b")) == ["m": .bool(true)])
        },
        .init("records are divided, and moved into a collection that has records") { store in
            try await store.fill(50, knowing: [])
            try await store.put(["old"], in: "d")
            let divide = Migration("divide", of: "c", into: ["d"]) { record, key -> [Entry] in
                let number = record.number()
                let other = Entry(key: try Self.key(key.id, in: "d"), record: ["text": record["text"] ?? .integer(0)])
                let kept = Entry(key: key, record: ["n": .integer(number)])
                return number == 7 ? [] : number % 2 == 0 ? [kept, other] : [other]
            }
            let migrations = [divide, .renameField("rename", of: "d", "text", to: "title")]
            let trial = try await store.migrating(migrations).migrate(dryRun: true)
            #expect(trial.map(\.recordCount) == [50, 49])
            for _ in 0..<2 { try await store.migrating(migrations).migrate() }
            let kept = try await store.entries()
            #expect(kept.count == 25 && kept.first?.record == ["n": .integer(0)])
            #expect(try await store.ids(Scan("d")).count == 50)
            #expect(try await store.record(for: key("0009", in: "d")) == ["title": .string("9")])
            // A program that does not know the migration neither writes to the one collection nor to the other.
            let older = SchemaStore(store, schema: try Schema([.init("c"), .init("d")]))
            for name in ["c", "d"] { try await older.expectRejected([:], key("x", in: name), .unknownMigration) }
        },
        .init("collections are renamed with their indexes, and removed") { store in
            try await store.fill(20, knowing: unique)
            try await store.put(["a"], in: "d")
            let migrations: [Migration] = [
                .removeCollection("remove", "d"), .renameCollection("rename", "c", to: "d"),
                Migration("after", of: "d") { record, key -> Record? in ["text": .string("d \(key.id)")] },
            ]
            let writer = try store.migrating(migrations)
            let trial = try await writer.migrate(dryRun: true).map { "\($0.name) \($0.recordCount ?? -1)" }
            #expect(trial == ["remove 1", "rename 20", "after 20"])
            try await writer.migrate()
            try await writer.buildIndexes()
            #expect(try await store.read { try $0.collections() } == ["$migrations", "d"])
            #expect(try await store.ids(Scan("d")).count == 20)
            #expect(try await store.record(for: key("0001", in: "d")) == ["text": .string("d 0001")])
            let indexes = try await writer.indexes()
            #expect(indexes.map(\.collection) == ["d"] && indexes.map(\.isUnique) == [true])
            // The index moves with the collection.
            try await writer.expectRejected(["text": .string("d 0001")], key("x", in: "d"))
        },
        .init("indexes are added and removed by migrations") { store in
            try await store.fill(20, knowing: [.on("n")])
            let migrations: [Migration] = [
                .addIndex("add", of: "c", .unique("text")), .removeIndex("remove", of: "c", "n"),
            ]
            try await store.migrating(migrations).migrate()
            let indexes = try await SchemaStore(store).indexes()
            #expect(indexes.map(\.name) == ["text"] && indexes.map(\.state) == [.ready])
            // An older program also enforces the unique field, because the migrations are additive.
            try await store.declaring([]).expectRejected(["text": .string("3")], key("x"))
            try await store.put(["text": .string("3")], key("y"))
            await expect(.migrationFailed, "duplicates", cause: .notUnique) {
                try await store.migrating(migrations + [.addIndex("again", of: "c", .unique("text"))]).migrate()
            }
        },
        .init(
            at: "a failing migration names itself and the key, and changes nothing, even if an index is invalid",
            for: [(20, false), (12, true), (30, true)]
        ) { subject, input in
            var store = try await subject.open()
            try await store.fill(input.0, knowing: unique)
            // A write without a schema invalidates the index.
            if input.1 { try await store.put(["text": .string("first")], key("0000")) }
            try await store.put(["0007"], in: "d")
            let before = try await store.entries()
            store = try await subject.reopen(store)
            // Each change fails. A migration may put records into other collections only if it names them.
            let cases: [(DataStoreError.Code?, others: [String], @Sendable (Entry) throws -> Entry)] = [
                (nil, [], { _ in throw Interruption(number: 7) }),
                (.notUnique, [], { Entry(key: $0.key, record: ["text": .string("8")]) }),
                (.notUnique, [], { Entry(key: $0.key, record: ["text": .string("new 0006")]) }),
                (.notUnique, [], { Entry(key: try key("0009"), record: $0.record) }),
                (.invalidRecord, [], { Entry(key: $0.key, record: ["": .integer(1)]) }),
                (.misuse, [], { Entry(key: try key($0.key.id, in: "d"), record: $0.record) }),
                (.misuse, ["d"], { Entry(key: try key($0.key.id, in: "e"), record: $0.record) }),
                (.notUnique, ["d"], { Entry(key: try key($0.key.id, in: "d"), record: $0.record) }),
            ]
            for (code, others, change) in cases {
                let migration = Migration("m", of: "c", into: others) { _, key -> [Entry] in
                    // The records before the failing one change, too.
                    let entry = Entry(key: key, record: ["text": .string("new \(key.id)")])
                    return [key.id == "0007" ? try change(entry) : entry]
                }
                let texts = ["\"m\" of c", "c/0007"]
                let error = await expect(.migrationFailed, "\(code as Any)", naming: texts, cause: code) {
                    try await store.migrating([migration]).migrate()
                }
                if code == nil { #expect(error?.underlying as? Interruption == Interruption(number: 7)) }
                #expect(try await store.entries() == before)
                #expect(try await SchemaStore(store).migrations().isEmpty)
            }
            try await store.migrating([]).migrate()
            try await store.migrating([Migration("m", of: "c", unchanged)]).migrate()
            try await store.declaring(unique).buildIndexes()
            try await store.expectCorrectIndexes(unique)
            await store.close()
        },
        .init("a program is rejected if it lacks an applied breaking migration, but not an additive one") { store in
            try await store.fill(3, knowing: [])
            let additive = Migration("additive", of: "c", isAdditive: true, unchanged)
            let breaking = Migration("breaking", of: "c", unchanged)
            let older = try store.migrating([])
            try await older.put([:], key("a"))
            try await store.migrating([additive]).migrate()
            try await older.migrate()
            try await older.put([:], key("b"))
            try await store.migrating([additive, breaking]).migrate()
            for program in [older, try store.migrating([]), try store.migrating([additive])] {
                await expect(.unknownMigration, "open", naming: ["breaking"]) { try await program.migrate() }
                try await program.expectRejected([:], key("c"), .unknownMigration)
                await expect(.unknownMigration, "remove") { try await program.remove(key("a")) }
            }
            let otherOrder = try store.migrating([breaking, additive])
            await expect(.unknownMigration, "another order") { try await otherOrder.migrate() }
            try await otherOrder.expectRejected([:], key("c"), .unknownMigration)
            // Tools and programs that do not declare the collection continue to work.
            let other = SchemaStore(store, schema: try Schema([.init("d")]))
            try await other.migrate()
            try await other.put(["a"], in: "d")
            #expect(try await SchemaStore(store).migrations().map(\.name) == ["additive", "breaking"])
            try await store.migrating([breaking]).migrate()
        },
        .init("the first write completes the migrations of an empty collection, and no later one", for: [false, true]) {
            store, isRepeated in
            let fails: @Sendable (Record, Key) throws -> Record? = { _, _ in throw Interruption(number: 1) }
            let first = [Migration("first", of: "c", fails), Migration("additive", of: "c", isAdditive: true, fails)]
            try await store.migrating(first).migrate()
            #expect(try await store.read { try $0.collections() } == [], "the store remains empty")
            let write: @Sendable (inout WriteTransaction) throws -> Void = { transaction in
                try transaction.put(["n": .integer(1)], for: key("a"))
                _ = try transaction.records(matching: RecordQuery("c"))
                try transaction.put(["n": .integer(1)], for: key("b"))
            }
            let writer = try store.migrating(first)
            // A failed write does not complete the migrations.
            if isRepeated { await writer.interruptWrite(write) }
            for _ in 0..<2 { try await writer.write(write) }
            for program in [writer, try store.migrating(first)] {
                #expect(try await program.migrate().isEmpty)
                #expect(try await program.migrations().map(\.state) == [.applied, .applied])
            }
            await expect(.unknownMigration, "an older program") { try await store.migrating([]).migrate() }
            let second =
                first + [.backfill("second", of: "c", "m", with: .integer(2)), .removeCollection("third", "e")]
            let newer = try store.migrating(second)
            try await newer.expectRejected([:], key("b"), .migrationPending, naming: "second")
            #expect(try await newer.migrations().map(\.state) == [.applied, .applied, .pending, .pending])
            try await newer.migrate()
            try await newer.put([:], key("b"))
            #expect(try await store.record(for: key("a")) == ["n": .integer(1), "m": .integer(2)])
            #expect(try await newer.migrations().allSatisfy { $0.state == .applied })
        },
        .init(
            "a migration that is interrupted, or run by several programs at once, processes each record once",
            for: [true, false]
        ) { store, isInterrupted in
            try await store.fill(50, knowing: unique)
            let migration = Migration("move", of: "c") { record, key -> Entry? in
                var record = record
                record["count"] = .integer(record.number("count") + 1)
                // Records are moved after the end, before the beginning, and into the middle of the collection. Later
                // batches must not process them again.
                let prefix = ["z", "!", "0030 "][Int(record.number() % 3)]
                return Entry(key: try Self.key(prefix + key.id), record: record)
            }
            let interrupted = InterruptedStore(store, after: 2)
            for _ in 0..<10 where isInterrupted {
                do {
                    try await interrupted.migrating([migration]).migrate()
                    break
                } catch is Interruption {
                    interrupted.writeCount.store(1, ordering: .relaxed)
                }
            }
            try await concurrently(isInterrupted ? 1 : 4) { _ in try await store.migrating([migration]).migrate() }
            let records = try await store.entries()
            #expect(records.count == 50 && records.allSatisfy { $0.record.number("count") == 1 && $0.key.id.count > 4 })
            #expect(try await store.read { try $0.collections() } == ["$migrations", "c"])
            try await store.expectCorrectIndexes(unique)
        },
        .init(at: "a running program stops writing when a migration begins, and a later one knows the migrations") {
            subject in
            var store = try await subject.open()
            let other = subject.isPersistent ? try await subject.open() : store
            try await store.fill(50, knowing: unique)
            // This program runs while the other one migrates the store.
            let running = try other.migrating([])
            try await running.put(["n": .integer(7), "text": .string("x")], key("x"))
            let migrations: [Migration] = [
                .renameField("rename", of: "c", "n", to: "number"), .backfill("fill", of: "c", "m", with: .integer(1)),
            ]
            let interrupted = InterruptedStore(store, after: 1)
            do { try await interrupted.migrating(migrations).migrate() } catch is Interruption {}
            let state = try #require(try await SchemaStore(store).migrations().first)
            // A store in memory migrates all records at once.
            #expect(state.state == .applied || state.state == .incomplete && state.recordCount == 20)
            for isComplete in [false, true] {
                try await running.expectRejected(["text": .string("y")], key("x"), .unknownMigration)
                await expect(.unknownMigration, "another program") { try await store.migrating([]).migrate() }
                if !isComplete { try await store.migrating(migrations).migrate() }
            }
            if subject.isPersistent { await other.close() }
            store = try await subject.reopen(store)
            #expect(try await store.migrating(migrations).migrate().isEmpty)
            try await store.migrating(migrations).put(["number": .integer(9)], key("y"))
            let expected: Record = ["number": .integer(7), "m": .integer(1), "text": .string("x")]
            #expect(try await store.record(for: key("x")) == expected)
            await expect(.unknownMigration, "an older program") { try await store.migrating([]).migrate() }
            #expect(try await SchemaStore(store).migrations().map(\.name) == ["rename", "fill"])
            await store.close()
        },
    ]

    static let unchanged: @Sendable (Record, Key) -> Record? = { record, _ in record }
}

extension DataStore {
    /// Returns a schema store that declares the collection `c` and the given migrations.
    func migrating(_ migrations: [Migration]) throws -> SchemaStore { try declaring([], migrations) }
}

/// A store that throws an ``Interruption`` after a number of writes, like a program that ends between two writes.
private final class InterruptedStore: WrappingDataStore {
    let base: any DataStore
    /// The number of writes until the next one throws.
    let writeCount: Atomic<Int>

    init(_ store: any DataStore, after count: Int) {
        base = store
        writeCount = Atomic(count)
    }

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        if writeCount.subtract(1, ordering: .relaxed).newValue < 0 { throw Interruption(number: 3) }
        return try await base.write(body)
    }
}
