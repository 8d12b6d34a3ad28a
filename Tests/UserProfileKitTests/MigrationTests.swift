import DataStoreCore
import DataStoreQueries
import Foundation
import Testing
import UserProfileDomain
import UserProfileKit

/// Tests of entities whose type changes from one version of a program to the next, on every kind of store.
@Suite struct MigrationTests {
    struct OldTrip: Codable, Identifiable, Hashable, Sendable {
        var id: Int
        var titel: String
        var price: Double
        var status: String
    }

    struct Trip: Codable, Identifiable, Hashable, Sendable {
        enum Status: String, Codable { case planned, over }

        var id: UUID
        var title: String
        var price: Decimal
        var status: Status
    }

    static let migrations: [Migration] = [
        .renameField("2026-11 title", of: "trips", "titel", to: "title"),
        .convert("2026-11 price", of: "trips", "price") { value in
            guard case .real(let price) = value else { return value }
            return .string("\(price)")
        },
        .convert("2026-11 status", of: "trips", "status") { $0 == .string("cancelled") ? .string("over") : $0 },
        Migration("2026-11 id", of: "trips") { record, key -> Entry? in
            let id = "00000000-0000-0000-0000-" + String(String(1_000_000_000_000 + (Int(key.id) ?? 0)).dropFirst())
            var record = record
            record["id"] = .string(id)
            return Entry(key: try Key(collection: "trips", id: id), record: record)
        },
        .removeCollection("2026-11 notes", "notes"),
    ]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func fill(_ location: StorageLocation) async throws {
        let storage = try await UserProfileStorage.open(
            location, entities: [EntityType(OldTrip.self, in: "trips", indexes: [.unique("titel")])])
        let trips = (1...3).map { number in
            OldTrip(id: number, titel: "trip \(number)", price: 2.5, status: number == 2 ? "cancelled" : "planned")
        }
        try await storage.unitOfWork.perform { try $0.repository(of: OldTrip.self).save(contentsOf: trips) }
        try await storage.records.write { try $0.put([:], for: Key(collection: "notes", id: "a")) }
        try await storage.users.save(User(id: .me))
        await storage.close()
    }

    @Test(
        "A renamed field, new types of values and ids, and a removed type are migrated at open",
        arguments: ["lmdb", "plist"])
    func newTypes(_ kind: String) async throws {
        let location = try StorageLocation("\(kind):\(directory.path("store"))")
        try await fill(location)
        let entities = [EntityType(Trip.self, in: "trips", indexes: [.unique("title")])]
        for _ in 0..<2 {
            try await UserProfileStorage.open(location, entities: entities, migrations: Self.migrations).closing {
                storage in
                let trips = try await storage.repository(of: Trip.self).list()
                #expect(trips.map(\.title) == ["trip 1", "trip 2", "trip 3"] && trips.map(\.price) == [2.5, 2.5, 2.5])
                #expect(trips.map(\.status) == [.planned, .over, .planned])
                #expect(trips.first?.id == UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
            }
        }
        #expect(try await location.check() == [])
        // The program of the version before, and a tool that does not declare the collection.
        let error = await #expect(throws: DataStoreError.self) {
            try await UserProfileStorage.open(location, entities: [EntityType(OldTrip.self, in: "trips")])
        }
        #expect(error?.code == .unknownMigration && error?.reason.contains("2026-11") == true)
        let users = try await UserProfileStorage.open(location).closing { try await $0.users.list() }
        #expect(users.map(\.id) == [.me])
        #expect(try await location.info().recordCounts == ["$migrations": 2, "trips": 3, "users": 1])
    }

    @Test("A schema rejects invalid and repeated migrations")
    func invalidMigrations() {
        let unchanged: @Sendable (Record, Key) -> Record? = { record, _ in record }
        for migrations in [
            [Migration("", of: "c", unchanged)],
            [Migration("a", of: "c", unchanged), Migration("a", of: "c", unchanged)],
            [Migration(String(repeating: "a", count: 201), of: "c", unchanged)],
            [Migration("a", of: "$migrations", unchanged)],
            [.renameField("a", of: "c", "b..d", to: "e")], [.renameField("a", of: "c", "b.d", to: "b.e")],
            [.renameField("a", of: "c", "b[].d", to: "e[]")], [.backfill("a", of: "c", "", with: .integer(1))],
            [.renameCollection("a", "c", to: "c")], [.addIndex("a", of: "c", .on("b["))],
            [.renameCollection("a", "d", to: "c"), Migration("a", of: "c", unchanged)],
        ] {
            let error = #expect(throws: DataStoreError.self) { _ = try Schema([], migrations: migrations) }
            #expect(error?.code == .misuse, "\(migrations)")
        }
        let error = #expect(throws: DataStoreError.self) {
            _ = try Schema([], migrations: [Migration("a", of: "", unchanged)])
        }
        #expect(error?.code == .invalidKey)
    }

    @Test("A type in a collection that a migration renames is rejected")
    func renamedCollection() async throws {
        let migrations = [Migration.renameCollection("2026-12 journeys", "trips", to: "journeys")]
        let error = await #expect(throws: DataStoreError.self) {
            try await UserProfileStorage.open(
                .memory, entities: [EntityType(Trip.self, in: "trips")], migrations: migrations)
        }
        #expect(error?.code == .misuse && error?.reason.contains("declare Trip in journeys") == true, "\(error)")
        let storage = try await UserProfileStorage.open(
            .memory, entities: [EntityType(Trip.self, in: "journeys")], migrations: migrations)
        #expect(try await storage.repository(of: Trip.self).list().isEmpty)
    }

    @Test(
        "Reads of a program that was open fail after another one renames its collection", arguments: ["lmdb", "plist"])
    func openReader(_ kind: String) async throws {
        let location = try StorageLocation("\(kind):\(directory.path("store"))")
        try await fill(location)
        let old = try await UserProfileStorage.open(location, entities: [EntityType(OldTrip.self, in: "trips")])
        let trips = try old.repository(of: OldTrip.self)
        #expect(try await trips.list().count == 3)
        let migrations = [Migration.renameCollection("2026-12 journeys", "trips", to: "journeys")]
        try await location.migrate(migrations)
        let reads: [@Sendable () async throws -> Void] = [
            { _ = try await trips.list() }, { _ = try await trips.find(1) }, { _ = try await trips.count() },
            { _ = try await trips.list(after: nil, limit: 1) }, { _ = try await trips.find(Query(limit: 2)) },
            { _ = try await trips.delete(1) }, { try await trips.update(1) { _ in } },
            { for try await _ in trips.updates(of: 1) { break } },
            { for try await _ in trips.updates(matching: Query()) { break } },
        ]
        for read in reads {
            var code: DataStoreError.Code?
            do { try await read() } catch let error as RepositoryError {
                code = (error.underlying as? DataStoreError)?.code
            }
            #expect(code == .unknownMigration)
        }
        #expect(try await old.users.list().map(\.id) == [.me])
        await old.close()
    }

    @Test("A dry run counts changed records and finds results that the declared type cannot read")
    func dryRun() async throws {
        let location = StorageLocation.lmdb(directory.path("store"))
        try await fill(location)
        let entities = [EntityType(Trip.self, in: "trips")]
        let counts = try await location.migrate(Self.migrations, entities: entities, dryRun: true).map(\.recordCount)
        #expect(counts == [3, 3, 1, 3, 1])
        let misspelled = Migration.renameField("x", of: "trips", "tilte", to: "name")
        #expect(try await location.migrate([misspelled], dryRun: true).map(\.recordCount) == [0])
        let old = [EntityType(OldTrip.self, in: "trips")]
        for migration in [
            Migration.convert("x", of: "trips", "price") { _ in .string("cheap") },
            .renameField("x", of: "trips", "titel", to: "title"),
            Migration("x", of: "trips") { record, key -> Entry? in
                Entry(key: try Key(collection: "other", id: key.id), record: record)
            },
        ] {
            let error = await #expect(throws: DataStoreError.self) {
                try await location.migrate([migration], entities: old, dryRun: true)
            }
            #expect(error?.code == .migrationFailed && error?.reason.contains("trips/1") == true, "\(error)")
        }
        #expect(try await location.migrations().isEmpty)
    }

    @Test("A new store records its migrations without running them", arguments: ["lmdb", "plist"])
    func newStore(_ kind: String) async throws {
        let location = try StorageLocation("\(kind):\(directory.path("store"))")
        let trip = Trip(id: UUID(), title: "a", price: 1, status: .over)
        for _ in 0..<2 {
            try await UserProfileStorage.open(
                location, entities: [EntityType(Trip.self, in: "trips")], migrations: Self.migrations
            ).closing { storage in
                try await storage.repository(of: Trip.self).save(trip)
                #expect(try await storage.repository(of: Trip.self).list() == [trip])
            }
        }
        await #expect(throws: DataStoreError.self) {
            try await UserProfileStorage.open(location, entities: [EntityType(OldTrip.self, in: "trips")])
        }
    }

    @Test("A failing migration of open names the migration and the key", arguments: ["lmdb", "plist"])
    func failure(_ kind: String) async throws {
        struct NoPrice: Error, Equatable {}
        let location = try StorageLocation("\(kind):\(directory.path("store"))")
        try await fill(location)
        let before = try await location.info()
        let error = await #expect(throws: DataStoreError.self) {
            try await UserProfileStorage.open(
                location, migrations: [.convert("fails", of: "trips", "price") { _ in throw NoPrice() }])
        }
        #expect(error?.code == .migrationFailed && error?.underlying as? NoPrice == NoPrice())
        #expect(error.map { "\($0)" }?.contains("\"fails\" of trips failed at trips/1") == true)
        #expect(try await location.info().recordCounts == before.recordCounts)
        let old = [EntityType(OldTrip.self, in: "trips")]
        let count = try await UserProfileStorage.open(location, entities: old).closing { storage in
            try await storage.repository(of: OldTrip.self).count()
        }
        #expect(count == 3)
    }

    @Test("A dry run reports pending migrations, and a backup is made first", arguments: ["lmdb", "plist"])
    func dryRunAndBackup(_ kind: String) async throws {
        let location = try StorageLocation("\(kind):\(directory.path("store"))")
        try await fill(location)
        let trial = try await location.migrate(Self.migrations, backingUpTo: directory.path("backup"), dryRun: true)
        #expect(trial.map(\.recordCount) == [3, 3, 1, 3, 1] && trial.allSatisfy { $0.state == .pending })
        #expect(try await location.migrations().isEmpty)
        let applied = try await location.migrate(Self.migrations, backingUpTo: directory.path("backup"))
        #expect(applied.map(\.recordCount) == [3, 3, 3, 3, 1] && applied.allSatisfy { $0.state == .applied })
        #expect(try await location.migrate(Self.migrations).isEmpty)
        let backup = try StorageLocation("\(kind):\(directory.path("backup"))")
        let old = try await UserProfileStorage.open(
            backup, entities: [EntityType(OldTrip.self, in: "trips")]
        ).closing { try await $0.repository(of: OldTrip.self).list() }
        #expect(old.map(\.titel) == ["trip 1", "trip 2", "trip 3"])
        // A backup and a copy of a migrated store keep the names of the migrations.
        try await location.backUp(to: directory.path("second"))
        let second = try StorageLocation("\(kind):\(directory.path("second"))")
        let copies = [second, .lmdb(directory.path("copy")), .plist(directory.path("copy.plist"))]
        for copy in copies {
            if copy != second { try await location.copy(to: copy) }
            let names = try await location.migrations().map(\.name)
            #expect(try await copy.migrations().map(\.name) == names)
            let error = await #expect(throws: DataStoreError.self) {
                try await UserProfileStorage.open(copy, entities: [EntityType(OldTrip.self, in: "trips")])
            }
            #expect(error?.code == .unknownMigration)
        }
    }
}
