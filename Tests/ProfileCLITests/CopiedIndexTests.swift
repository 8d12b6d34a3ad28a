import DataStoreCore
import DataStoreQueries
import Testing

/// Tests of the unique fields of custom collections in copies and backups.
@Suite struct CopiedIndexTests {
    let cli: ProfileCLI

    init() throws { cli = try ProfileCLI() }

    /// Checks that a program without declarations cannot save a duplicate.
    private func expectUniqueTitles(_ kind: StoreKind, _ name: String, count: Int) async throws {
        let error = await #expect(throws: DataStoreError.self, "\(kind)") {
            try await cli.saveTrip("copy", "trip \(count - 1)", kind, name)
        }
        #expect(error?.code == .notUnique && error?.description.contains("trips/\(count - 1)") == true)
        // The same applies to the copied collection without records.
        try await cli.saveTrip("1", "first", kind, name, in: "plans")
        let other = await #expect(throws: DataStoreError.self) {
            try await cli.saveTrip("2", "first", kind, name, in: "plans")
        }
        #expect(other?.code == .notUnique)
        #expect(try await cli.run("store", "check", in: cli.store(kind, name)).code == 0)
    }

    @Test(
        "A copy keeps unique fields",
        arguments: [
            (StoreKind.lmdb, StoreKind.plist, 3), (.plist, .lmdb, 3), (.lmdb, .lmdb, 1100), (.plist, .plist, 3),
            (.plist, .lmdb, 1100),
        ])
    func uniqueCopy(_ kind: StoreKind, _ otherKind: StoreKind, _ count: Int) async throws {
        let (store, other) = (cli.store(kind, "a"), cli.store(otherKind, "b"))
        try await cli.fillTrips(kind, count, "a")
        #expect(try await cli.run("store", "copy", store.text, other.text).code == 0)
        let copied = try await cli.run("store", "indexes", in: other)
        if kind == otherKind || otherKind == .lmdb {
            #expect(try await cli.run("store", "indexes", in: store).lines.sorted() == copied.lines.sorted())
        }
        #expect(copied.lines.contains("trips\ttitle\tunique\tready\t\(count)"), "\(copied)")
        try await expectUniqueTitles(otherKind, "b", count: count)
    }

    @Test("A backup keeps unique fields", arguments: StoreKind.allCases)
    func uniqueBackup(_ kind: StoreKind) async throws {
        try await cli.fillTrips(kind, 3, "a")
        #expect(try await cli.run("store", "backup", "b", in: cli.store(kind, "a")).code == 0)
        try await expectUniqueTitles(kind, "b", count: 3)
    }

    @Test("A copy that replaces a store replaces its indexes", arguments: StoreKind.allCases, StoreKind.allCases)
    func replacedIndexes(_ kind: StoreKind, _ otherKind: StoreKind) async throws {
        let (store, other) = (cli.store(kind, "a"), cli.store(otherKind, "b"))
        try await cli.fillTrips(kind, 3, "a")
        let dates = try Schema([.init("trips", indexes: [.unique("startsAt")]), .init("old", indexes: [.unique("n")])])
        try await cli.using(otherKind, "b") { store in
            try await SchemaStore(store, schema: dates).write { transaction in
                try transaction.put(["n": .integer(1)], for: Key(collection: "old", id: "1"))
                try transaction.put(["startsAt": .integer(1)], for: Key(collection: "trips", id: "1"))
            }
        }
        #expect(try await cli.run("store", "copy", store.text, other.text).code == 73)
        #expect(try await cli.run("store", "copy", store.text, other.text, "--replace", "--yes").code == 0)
        let indexes = try await cli.run("store", "indexes", in: other).lines
        #expect(!indexes.contains { $0.hasPrefix("old\t") || $0.hasPrefix("trips\tstartsAt\tunique") }, "\(indexes)")
        try await expectUniqueTitles(otherKind, "b", count: 3)
    }

    /// The target has the declaration but no records, and the source has records that violate it.
    @Test("A copy that breaks a unique field of an empty store is rejected", arguments: StoreKind.allCases)
    func uniqueTarget(_ kind: StoreKind) async throws {
        let (store, other) = (cli.store(.lmdb, "a"), cli.store(kind, "b"))
        try await cli.saveTrip("1", "same", .lmdb, "a")
        try await cli.saveTrip("2", "same", .lmdb, "a")
        try await cli.fillTrips(kind, 0, "b")
        let rejected = try await cli.run("store", "copy", store.text, other.text)
        #expect(rejected.code == 65 && rejected.isOneSentence && rejected.error.contains("trips/1"), "\(rejected)")
        #expect(try await cli.run("store", "indexes", in: other).lines.contains("trips\ttitle\tunique\tready\t0"))
        #expect(try await cli.run("store", "copy", store.text, other.text, "--replace", "--yes").code == 0)
        try await cli.saveTrip("3", "same", kind, "b")
    }

    /// The index has an unknown format, so it cannot be copied, and a copy must not accept records that the store
    /// rejects.
    @Test("A copy that would lose an index of a newer library is rejected")
    func newerIndex() async throws {
        let (store, other) = (cli.store(.lmdb, "a"), cli.store(.plist, "b"))
        try await cli.fillTrips(.lmdb, 3, "a")
        try await cli.declareIndexOfNewerLibrary("a")
        let rejected = try await cli.run("store", "copy", store.text, other.text)
        #expect(
            rejected.code == 74 && rejected.isOneSentence && rejected.error.contains("another version"), "\(rejected)")
        #expect(try await cli.run("store", "info", in: other).code == 66)
    }

    /// A raw write has added a duplicate. The copy contains it, too, and rejects further ones.
    @Test("A copy of duplicates is repaired like its source", arguments: StoreKind.allCases)
    func copiedDuplicates(_ kind: StoreKind) async throws {
        let (store, other) = (cli.store(.lmdb, "a"), cli.store(kind, "b"))
        try await cli.fillTrips(.lmdb, 3, "a")
        try await cli.using(.lmdb, "a") { store in
            try await store.write {
                try $0.put(["title": .string("trip 1")], for: Key(collection: "trips", id: "raw"))
            }
        }
        #expect(try await cli.run("store", "copy", store.text, other.text).code == 0)
        let copied = try await cli.run("store", "indexes", in: other)
        #expect(copied.lines.contains { $0.hasPrefix("trips\ttitle\tunique\t") && !$0.contains("ready") }, "\(copied)")
        let error = await #expect(throws: DataStoreError.self) { try await cli.saveTrip("x", "trip 1", kind, "b") }
        #expect(error?.code == .notUnique)
        try await cli.using(kind, "b") { store in
            _ = try await SchemaStore(store).write { try $0.remove(Key(collection: "trips", id: "raw")) }
        }
        try await expectUniqueTitles(kind, "b", count: 3)
    }
}
