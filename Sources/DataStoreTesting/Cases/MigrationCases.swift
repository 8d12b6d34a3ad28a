import DataStoreCore
import DataStoreQueries
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
                guard case .integer(let number)? = record["n"] else { return [] }
                let other = Entry(
                    key: try Key(collection: "d", id: key.id), record: ["text": record["text"] ?? .integer(0)])
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
            #expect(try await store.record(for: Key(collection: "d", id: "0009")) == ["title": .string("9")])
            // A program that does not know the migration neither writes to the one collection nor to the other.
            let older = SchemaStore(store, schema: try Schema([.init("c"), .init("d")]))
            for name in ["c", "d"] {
                await expect(.unknownMigration, "\(name)") { try await older.put([:], Key(collection: name, id: "x")) }
            }
            for (target, code) in [("d", DataStoreError.Code.notUnique), ("e", .misuse)] {
                let failing = Migration("move", of: "c", into: ["d"]) {
                    [Entry(key: try Key(collection: target, id: $1.id), record: $0)]
                }
                let error = await expect(.migrationFailed, "\(target)") {
                    try await store.migrating(migrations + [failing]).migrate()
                }
                #expect((error?.underlying as? DataStoreError)?.code == code)
                #expect(try await store.entries() == kept)
            }
        },
        .init("collections are renamed with their indexes, and removed") { store in
            try await store.fill(20, knowing: unique)
            try await store.put(["text": .string("of d")], Key(collection: "d", id: "a"))
            let migrations: [Migration] = [
                .removeCollection("remove", "d"), .renameCollection("rename", "c", to: "d"),
                Migration("after", of: "d") { record, key -> Record? in ["text": .string("d \(key.id)")] },
            ]
            let names = try await store.migrating(migrations).migrate(dryRun: true).map { ($0.name, $0.recordCount) }
            #expect(names.map(\.0) == ["remove", "rename", "after"] && names.map(\.1) == [1, 20, 20])
            let writer = try store.migrating(migrations)
            try await writer.migrate()
            try await writer.buildIndexes()
            #expect(try await store.read { try $0.collections() } == ["$migrations", "d"])
            #expect(try await store.ids(Scan("d")).count == 20)
            #expect(try await store.record(for: Key(collection: "d", id: "0001")) == ["text": .string("d 0001")])
            let indexes = try await writer.indexes()
            #expect(indexes.map(\.collection) == ["d"] && indexes.map(\.isUnique) == [true])
            await expect(.notUnique, "the index moves with the collection") {
                try await writer.put(["text": .string("d 0001")], Key(collection: "d", id: "x"))
            }
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
            await expect(.notUnique, "a second value") {
                try await store.declaring([]).put(["text": .string("3")], key("x"))
            }
            try await store.put(["text": .string("3")], key("y"))
            let error = await expect(.migrationFailed, "duplicates") {
                try await store.migrating(migrations + [.addIndex("again", of: "c", .unique("text"))]).migrate()
            }
            #expect((error?.underlying as? DataStoreError)?.code == .notUnique)
        },
        .init("a failing migration names itself and the key, and changes nothing") { store in
            try await store.fill(20, knowing: unique)
            let before = try await store.entries()
            let cases: [(DataStoreError.Code?, @Sendable (Entry) throws -> Entry)] = [
                (nil, { _ in throw Interruption(number: 7) }),
                (.notUnique, { Entry(key: $0.key, record: ["text": .string("8")]) }),
                (.notUnique, { Entry(key: try key("0009"), record: $0.record) }),
                (.invalidRecord, { Entry(key: $0.key, record: ["": .integer(1)]) }),
                (.misuse, { Entry(key: try Key(collection: "d", id: $0.key.id), record: $0.record) }),
            ]
            for (code, change) in cases {
                let migration = Migration("m", of: "c") { record, key -> Entry? in
                    let entry = Entry(key: key, record: record)
                    return key.id == "0007" ? try change(entry) : entry
                }
                let error = await expect(.migrationFailed, "\(String(describing: code))") {
                    try await store.migrating([migration]).migrate()
                }
                let description = error?.description ?? ""
                #expect(description.contains("\"m\" of c") && description.contains("c/0007"))
                if let code {
                    #expect((error?.underlying as? DataStoreError)?.code == code)
                } else {
                    #expect(error?.underlying as? Interruption == Interruption(number: 7))
                }
                #expect(try await store.entries() == before)
            }
            try await store.migrating([Migration("m", of: "c") { record, _ -> Record? in record }]).migrate()
            try await store.expectCorrectIndexes(unique)
        },
        .init("a program is rejected if it lacks an applied breaking migration, but not an additive one") { store in
            try await store.fill(3, knowing: [])
            let identity: @Sendable (Record, Key) -> Record? = { record, _ in record }
            let (additive, breaking) = (
                Migration("additive", of: "c", isAdditive: true, identity), Migration("breaking", of: "c", identity)
            )
            let older = try store.migrating([])
            try await older.put([:], key("a"))
            try await store.migrating([additive]).migrate()
            try await older.migrate()
            try await older.put([:], key("b"))
            try await store.migrating([additive, breaking]).migrate()
            for program in [older, try store.migrating([]), try store.migrating([additive])] {
                let error = await expect(.unknownMigration, "open") { try await program.migrate() }
                #expect(error?.reason.contains("breaking") == true)
                await expect(.unknownMigration, "put") { try await program.put([:], key("c")) }
                await expect(.unknownMigration, "remove") { try await program.write { _ = try $0.remove(key("a")) } }
            }
            for program in [try store.migrating([breaking, additive])] {
                await expect(.unknownMigration, "another order") { try await program.migrate() }
                await expect(.unknownMigration, "put") { try await program.put([:], key("c")) }
            }
            // Tools and programs that do not declare the collection continue to work.
            let other = SchemaStore(store, schema: try Schema([.init("d")]))
            try await other.migrate()
            try await other.put([:], Key(collection: "d", id: "a"))
            #expect(try await SchemaStore(store).migrations().map(\.name) == ["additive", "breaking"])
            try await store.migrating([breaking]).migrate()
        },
        .init("a write before a pending migration fails, and migrations of an empty collection are complete") { store in
            let fails: @Sendable (Record, Key) throws -> Record? = { _, _ in throw Interruption(number: 1) }
            let first = [Migration("first", of: "c", fails)]
            try await store.migrating(first).migrate()
            #expect(try await store.read { try $0.collections() } == [], "the store remains empty")
            // A failed write does not complete the migrations.
            await #expect(throws: Interruption.self) {
                try await store.migrating(first).write { transaction in
                    try transaction.put([:], for: key("a"))
                    throw Interruption(number: 2)
                }
            }
            let writer = try store.migrating(first)
            for _ in 0..<2 { try await writer.put(["n": .integer(1)], key("a")) }
            try await writer.migrate()
            #expect(try await writer.migrations().map(\.state) == [.applied])
            await expect(.unknownMigration, "an older program") { try await store.migrating([]).migrate() }
            let second =
                first + [.backfill("second", of: "c", "m", with: .integer(2)), .removeCollection("third", "e")]
            let newer = try store.migrating(second)
            let error = await expect(.migrationPending, "a write") { try await newer.put([:], key("b")) }
            #expect(error?.reason.contains("second") == true)
            #expect(try await newer.migrations().map(\.state) == [.applied, .pending, .pending])
            try await newer.migrate()
            try await newer.put([:], key("b"))
            #expect(try await store.record(for: key("a")) == ["n": .integer(1), "m": .integer(2)])
            #expect(try await newer.migrations().allSatisfy { $0.state == .applied })
        },
        .init("a schema rejects invalid and repeated migrations") { _ in
            let identity: @Sendable (Record, Key) -> Record? = { record, _ in record }
            for migrations in [
                [Migration("", of: "c", identity)],
                [Migration("a", of: "c", identity), Migration("a", of: "c", identity)],
                [Migration(String(repeating: "a", count: 201), of: "c", identity)],
                [Migration("a", of: "$migrations", identity)],
                [.renameField("a", of: "c", "b..d", to: "e")], [.renameField("a", of: "c", "b.d", to: "b.e")],
                [.renameField("a", of: "c", "b[].d", to: "e[]")], [.backfill("a", of: "c", "", with: .integer(1))],
                [.renameCollection("a", "c", to: "c")], [.addIndex("a", of: "c", .on("b["))],
                [.renameCollection("a", "d", to: "c"), Migration("a", of: "c", identity)],
            ] {
                let error = #expect(throws: DataStoreError.self) { try Schema([], migrations: migrations) }
                #expect(error?.code == .misuse)
            }
            #expect(throws: DataStoreError.self) { try Schema([], migrations: [Migration("a", of: "", identity)]) }
            #expect(throws: DataStoreError.self) { try Schema([.init("$migrations")]) }
        },
    ]

    /// Requirements for migrations of more records than one batch processes.
    static let batchMigrationCases: [DataStoreConformance] = [
        .init("a migration that is interrupted continues, and processes each record once") { store in
            try await store.fill(50, knowing: unique)
            let counts = Mutex<[String: Int]>([:])
            let migrations = [
                Migration("move", of: "c") { record, key -> Entry? in
                    // Records are moved after the end, before the beginning, and into the middle of the collection.
                    // Later batches must not process them again.
                    counts.withLock { $0["\(record["n"] ?? .integer(-1))", default: 0] += 1 }
                    var record = record
                    guard case .integer(let n)? = record["n"] else { throw Interruption(number: 1) }
                    record["moved"] = .bool(true)
                    let prefix = n % 3 == 0 ? "z" : n % 3 == 1 ? "!" : "0030 "
                    return Entry(key: try Self.key(prefix + key.id), record: record)
                }
            ]
            let interrupted = InterruptedStore(store, after: 2)
            for _ in 0..<10 {
                do {
                    try await interrupted.migrating(migrations).migrate()
                    break
                } catch is Interruption {
                    interrupted.writeCount.store(1, ordering: .relaxed)
                }
            }
            try await store.migrating(migrations).migrate()
            let records = try await store.entries()
            let areMoved = records.allSatisfy { $0.record["moved"] == .bool(true) && $0.key.id.count > 4 }
            #expect(records.count == 50 && areMoved)
            #expect(counts.withLock { $0.count == 50 && $0.values.allSatisfy { $0 == 1 } })
            #expect(try await store.read { try $0.collections() } == ["$migrations", "c"])
            try await store.expectCorrectIndexes(unique)
        },
        .init("programs that migrate at the same time process each record once") { store in
            try await store.fill(70, knowing: unique)
            let migration = Migration("count", of: "c") { record, _ -> Record? in
                guard case .integer(let count) = record["count"] ?? .integer(0) else { throw Interruption(number: 1) }
                var record = record
                record["count"] = .integer(count + 1)
                return record
            }
            try await concurrently(4) { _ in try await store.migrating([migration]).migrate() }
            let records = try await store.entries()
            #expect(records.count == 70 && records.allSatisfy { $0.record["count"] == .integer(1) })
            try await store.expectCorrectIndexes(unique)
        },
        .init("a running program stops writing when a migration begins") { store in
            try await store.fill(50, knowing: unique)
            let running = try store.migrating([])
            try await running.put(["text": .string("x")], key("x"))
            let interrupted = InterruptedStore(store, after: 1)
            do {
                try await interrupted.migrating([.renameField("m", of: "c", "n", to: "number")]).migrate()
            } catch is Interruption {}
            let state = try #require(try await SchemaStore(store).migrations().first)
            // A store in memory migrates all records at once.
            #expect(state.state == .applied || state.state == .incomplete && state.recordCount == 20)
            await expect(.unknownMigration, "its next write") {
                try await running.put(["text": .string("y")], key("x"))
            }
            await expect(.unknownMigration, "another program") { try await store.migrating([]).migrate() }
        },
    ]

    static let persistentMigrationCases: [DataStoreConformance] = [
        .init(locations: "applied migrations are known after the store is opened again") { makeSubject in
            let subject = try await makeSubject()
            var store = try await subject.open()
            try await store.fill(3, knowing: [])
            let other = try await subject.open()
            let running = try other.migrating([])
            try await running.put(["n": .integer(7)], key("a"))
            let migrations: [Migration] = [
                .renameField("rename", of: "c", "n", to: "number"), .backfill("fill", of: "c", "m", with: .integer(1)),
            ]
            try await store.migrating(migrations).migrate()
            await expect(.unknownMigration, "a store that was open before") {
                try await running.put(["n": .integer(8)], key("a"))
            }
            await other.close()
            await store.close()
            store = try await subject.open()
            #expect(try await store.migrating(migrations).migrate().isEmpty)
            try await store.migrating(migrations).put(["number": .integer(9)], key("b"))
            #expect(try await store.record(for: key("a")) == ["number": .integer(7), "m": .integer(1)])
            await expect(.unknownMigration, "an older program") { [store] in try await store.migrating([]).migrate() }
            #expect(try await SchemaStore(store).migrations().map(\.name) == ["rename", "fill"])
            await store.close()
        }
    ]

    private static let unique: [IndexDefinition] = [.unique("text")]
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
