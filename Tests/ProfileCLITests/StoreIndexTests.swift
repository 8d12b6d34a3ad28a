import DataStoreCore
import DataStoreQueries
import Foundation
import Testing

/// Tests of `store indexes`, and of the indexes of own collections in `store info` and `store check`.
@Suite struct StoreIndexTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    private struct Index: Decodable, Equatable {
        let collection: String
        let name: String
        let isUnique: Bool
        let state: String
        var entryCount: Int?
        var advice: String?
    }

    private struct Info: Decodable { let indexes: [Index] }

    private func indexes(in store: Store) async throws -> [Index] {
        try await cli.run("store", "indexes", "--format", "json", in: store).documents()
    }

    @Test("The indexes of all collections are listed", arguments: StoreKind.allCases)
    func list(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        #expect(try await cli.run("set-birthday", "2011-08-01", in: store).code == 0)
        try await cli.fillTrips(kind, 3)
        var expected = [
            Index(collection: "plans", name: "title", isUnique: true, state: "ready", entryCount: 0),
            Index(collection: "trips", name: "title", isUnique: true, state: "ready", entryCount: 3),
        ]
        // A property list stores unique indexes only.
        if kind == .lmdb {
            expected += [
                Index(collection: "trips", name: "startsAt", isUnique: false, state: "ready", entryCount: 3),
                Index(collection: "users", name: "birthday", isUnique: false, state: "ready", entryCount: 1),
            ]
        }
        let found = try await indexes(in: store)
        #expect(expected.allSatisfy(found.contains), "\(found)")
        #expect(found.filter { $0.collection != "users" }.count == (kind == .lmdb ? 3 : 2), "\(found)")
        #expect(found.map(\.collection) == found.map(\.collection).sorted())

        let text = try await cli.run("store", "indexes", in: store)
        #expect(text.code == 0 && text.error.isEmpty, "\(text)")
        #expect(text.lines.contains("trips\ttitle\tunique\tready\t3"), "\(text)")
        #expect(text.lines.contains("trips\tstartsAt\t-\tready\t3") == (kind == .lmdb))
        #expect(try await cli.run("store", "indexes", "list", in: store).output == text.output)

        let info = try await cli.run("store", "info", in: store)
        #expect(info.lines.contains("index\ttrips by title, unique, ready"), "\(info)")
        #expect(info.lines.contains("index\ttrips by startsAt, ready") == (kind == .lmdb), "\(info)")
        let document: Info = try await cli.run("store", "info", "--format", "json", in: store).document()
        #expect(
            document.indexes
                == found.map {
                    Index(collection: $0.collection, name: $0.name, isUnique: $0.isUnique, state: $0.state)
                })
    }

    @Test("An index is dropped by collection and name", arguments: StoreKind.allCases)
    func drop(_ kind: StoreKind) async throws {
        let store = cli.store(kind)
        try await cli.fillTrips(kind, 3)
        let before = try await indexes(in: store)
        for arguments in [["trips", "titel"], ["trip", "title"], ["", "number"], ["", ""], ["trips", "number"]] {
            let rejected = try await cli.run(["store", "indexes", "drop"] + arguments, in: store)
            #expect(rejected.code == 1 && rejected.isOneSentence, "\(rejected)")
        }
        #expect(try await indexes(in: store) == before)

        let dropped = try await cli.run("store", "indexes", "drop", "trips", "title", in: store)
        #expect(dropped.code == 0 && dropped.output.isEmpty && dropped.error.isEmpty, "\(dropped)")
        let again = try await cli.run("store", "indexes", "drop", "trips", "title", in: store)
        #expect(again.code == 1 && again.isOneSentence && again.error.contains("trips has no index title"), "\(again)")
        #expect(try await indexes(in: store) == before.filter { $0.collection != "trips" || $0.name != "title" })
        try await cli.saveTrip("copy", "trip 1", kind)

        let verbose = try await cli.run("store", "indexes", "drop", "plans", "title", "--verbose", in: store)
        #expect(verbose.code == 0 && verbose.output.isEmpty, "\(verbose)")
        #expect(verbose.error.contains("removed the index title of plans"), "\(verbose)")
        #expect(try await cli.run("store", "check", in: store).code == 0)
        #expect(try await cli.run("store", "indexes", "drop", "trips", in: store).code == 64)
    }

    @Test("A missing store exits with 66, and memory with 65", arguments: [["list"], ["drop", "trips", "title"]])
    func missingStore(_ arguments: [String]) async throws {
        for kind in StoreKind.allCases {
            let outcome = try await cli.run(["store", "indexes"] + arguments, in: cli.store(kind, "nothing"))
            #expect(outcome.code == 66 && outcome.isOneSentence, "\(outcome)")
        }
        let memory = try await cli.run(["store", "indexes"] + arguments, in: .memory)
        #expect(memory.code == 65 && memory.isOneSentence, "\(memory)")
        #expect(try cli.snapshot() == ["home": nil])
    }

    @Test("A store without indexes lists none")
    func noIndexes() async throws {
        try await cli.using(.lmdb) { try await $0.write { try $0.put([:], for: Key(collection: "a", id: "1")) } }
        let outcome = try await cli.run("store", "indexes", in: cli.store(.lmdb))
        #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome)")
    }

    @Test("Indexes of other programs are checked and rebuilt")
    func foreignIndexes() async throws {
        let store = cli.store(.lmdb)
        try await cli.fillTrips(.lmdb, 3)
        // Removes an entry of index 2, which belongs to `trips`.
        try await cli.using(.lmdb) { store in
            try await store.write { _ = try $0.backend.removeFirst(1, of: "\0x2") }
        }
        let damaged = try await cli.run("store", "check", in: store)
        #expect(damaged.code == 74 && damaged.lines.count == 1, "\(damaged)")
        #expect(damaged.output.contains(" of trips does"), "\(damaged)")
        try await cli.using(.lmdb) { store in
            try await store.write { transaction in
                try transaction.put([:], for: Key(collection: "plans", id: "1"))
                try transaction.removeAll(in: Scan("plans"))
            }
        }
        #expect(try await indexes(in: store).contains { $0.collection == "plans" && $0.state == "invalid" })
        #expect(try await cli.run("store", "check", "--rebuild-indexes", in: store).code == 0)
        let rebuilt = try await indexes(in: store)
        #expect(rebuilt.count >= 3 && rebuilt.allSatisfy { $0.state == "ready" }, "\(rebuilt)")
        #expect(rebuilt.contains { $0.name == "startsAt" && $0.entryCount == 3 })
    }

    /// The index has entries, but its collection has no records.
    @Test("Indexes of collections without records are checked")
    func emptyCollections() async throws {
        try await cli.fillTrips(.lmdb, 0)
        try await cli.using(.lmdb) { store in
            try await store.write { try $0.backend.put([:], for: Key(stored: "surplus", in: "\0x1")) }
        }
        let damaged = try await cli.run("store", "check", in: cli.store(.lmdb))
        #expect(damaged.code == 74 && damaged.output.contains("1 are surplus"), "\(damaged)")
    }

    @Test("An index of a newer library is listed and dropped")
    func newerIndex() async throws {
        let store = cli.store(.lmdb)
        try await cli.declareIndexOfNewerLibrary()
        let expected = Index(collection: "dates", name: "day:later@9", isUnique: false, state: "unknown")
        #expect(try await indexes(in: store) == [expected])
        #expect(try await cli.run("store", "indexes", in: store).lines == ["dates\tday:later@9\t-\tunknown\t-"])
        #expect(try await cli.run("store", "indexes", "drop", "dates", "day:later@9", in: store).code == 0)
        #expect(try await indexes(in: store).isEmpty)
    }

    @Test("Of two indexes of a field, the older one is named with the command that removes it")
    func oldIndex() async throws {
        let store = cli.store(.lmdb)
        for index in [IndexDefinition.on("title"), .on("title", transform: .asciiLowercase)] {
            try await cli.using(.lmdb) { store in
                let store = SchemaStore(store, schema: try Schema([.init("trips", indexes: [index])]))
                try await store.write { try $0.put(["title": .string("a")], for: Key(collection: "trips", id: "1")) }
            }
        }
        let advice = "if no program declares title any more, run profile-cli store indexes drop trips title"
        for command in [["store", "indexes"], ["store", "check"]] {
            let outcome = try await cli.run(command, in: store)
            #expect(outcome.code == 0 && outcome.error.contains(advice), "\(outcome)")
        }
        #expect(try await cli.run("store", "check", "--json", in: store).output.contains(advice))
        #expect(try await indexes(in: store).filter { $0.advice != nil }.map(\.name) == ["title"])
        #expect(try await cli.run("store", "indexes", "drop", "trips", "title", in: store).code == 0)
        #expect(try await !cli.run("store", "check", in: store).error.contains("drop"))
    }
}
