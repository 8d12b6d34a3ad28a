import DataStoreCore
import DataStoreQueries
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// Tests of entities that a program declares when it opens a storage, on every kind of store.
@Suite struct SchemaTests {
    struct Place: Codable, Hashable, Sendable {
        var name: String
        var floor: Int?
    }

    struct Trip: Codable, Identifiable, Hashable, Sendable {
        enum Status: String, Codable { case planned, over }

        let id: UUID
        var title: String
        var startsAt = Date(timeIntervalSince1970: 0)
        var place = Place(name: "Tokyo")
        var tags: [String] = []
        var status = Status.planned

        init(_ title: String) { (id, self.title) = (UUID(), title) }
    }

    private func open(
        _ location: StorageLocation = .memory, _ indexes: [EntityIndex<Trip>] = []
    ) async throws -> UserProfileStorage {
        try await .open(location, entities: [EntityType(Trip.self, in: "trips", indexes: indexes)])
    }

    /// The unit of work and the second storage do not name the unique field.
    @Test(
        "A unique field holds for units of work and storages that do not declare it",
        arguments: UserProfileStorageTests.locations.indices)
    func uniqueness(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let storage = try await open(UserProfileStorageTests.locations[index](directory), [.unique("title")])
        let other = try UserProfileStorage(
            store: storage.records, entities: [EntityType(Trip.self, in: "trips", indexes: [.on("startsAt")])])
        let trips = try storage.repository(of: Trip.self)
        try await trips.save(Trip("a"))
        try await other.unitOfWork.perform { try $0.repository(of: Trip.self).save(Trip("b")) }
        try await other.repository(of: Trip.self).save(Trip("c"))
        for title in ["a", "b", "c"] {
            for repository in [trips, try other.repository(of: Trip.self)] {
                let error = await #expect(throws: RepositoryError.self) { try await repository.save(Trip(title)) }
                #expect(error?.code == .conflict)
            }
            let error = await #expect(throws: RepositoryError.self) {
                try await other.unitOfWork.perform { try $0.repository(of: Trip.self).save(Trip(title)) }
            }
            #expect(error?.code == .conflict)
        }
        #expect(try await trips.count() == 3)
        await storage.close()
    }

    @Test(
        "A new version of a program makes a field unique", arguments: UserProfileStorageTests.locations.indices,
        [100, 1100])
    func newUniqueField(_ index: Int, _ count: Int) async throws {
        let directory = try TemporaryDirectory()
        let location = try UserProfileStorageTests.locations[index](directory)
        // A second storage in memory is empty.
        let isMemory = location == .memory
        let storage = try await open(location)
        try await storage.unitOfWork.perform { work in
            try work.repository(of: Trip.self).save(contentsOf: (0..<count).map { Trip("\($0)") })
        }
        if !isMemory { await storage.close() }
        let entities = [EntityType(Trip.self, in: "trips", indexes: [.unique("title")])]
        let newer =
            isMemory
            ? try UserProfileStorage(store: storage.records, entities: entities)
            : try await UserProfileStorage.open(location, entities: entities)
        let error = await #expect(throws: RepositoryError.self) {
            try await newer.repository(of: Trip.self).save(Trip("\(count - 1)"))
        }
        #expect(error?.code == .conflict)
        await newer.close()
    }

    @Test(
        "An index of a field that the type does not have is an error at open",
        arguments: [
            (
                EntityIndex<Trip>.unique("titel"),
                "Trip has no field titel; it has id, place, startsAt, status, tags, title"
            ),
            (.on("statsu"), "Trip has no field statsu"),
            (.on("place"), "Trip.place is a record; name one of its fields"),
            (.on("place.nam"), "Trip.place has no field nam; it has floor, name"),
            (.on("title.name"), "Trip.title is not a record"),
            (.on("tags"), "Trip.tags is an array; name its elements with tags[]"),
            (.on("title[]"), "Trip.title is not an array"),
            (.on("place..name"), "\"place..name\" is not the path of a stored field"),
        ])
    func wrongIndex(_ index: EntityIndex<Trip>, _ reason: String) async throws {
        let error = await #expect(throws: DataStoreError.self) { try await open(.memory, [index]) }
        #expect(error?.code == .misuse && error?.reason.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    /// A type with a property that is not stored, because `CodingKeys` has no case for it, and a computed one.
    struct Note: Codable, Identifiable, Sendable, Queryable {
        let id: Int
        var place = Place(name: "")
        var endsAt: Date?
        var draft: String?
        var author: UserID { .me }

        enum CodingKeys: CodingKey { case id, place, endsAt }
        static let fields = EntityFields(of: Note.self)
    }

    @Test("A key path to a property that is not stored is an error at open that names it")
    func wrongKeyPath() async throws {
        let types: [(EntityType, String)] = [
            (EntityType(Note.self, in: "notes", indexes: [.on(\.draft)]), "Note.draft"),
            (EntityType(Note.self, in: "notes", indexes: [.unique(\.place.name, \.draft)]), "Note.draft"),
            (EntityType(Note.self, in: "notes", references: [.to("users", by: \.draft)]), "Note.draft"),
            (EntityType(Note.self, in: "notes", expiresAt: \.draft), "Note.draft"),
            (EntityType(Note.self, in: "notes", owner: \.draft), "Note.draft"),
            // The runtime knows no names of computed properties.
            (EntityType(Note.self, in: "notes", owner: \.author), "Note.<computed"),
            (EntityType(Note.self, in: "notes", references: [.to("users", by: \.author)]), "Note.<computed"),
            (EntityType(Note.self, in: "notes", expiresAt: \.author), "Note.<computed"),
        ]
        for (type, member) in types {
            let error = await #expect(throws: DataStoreError.self) {
                try await UserProfileStorage.open(.memory, entities: [type])
            }
            #expect(error?.code == .misuse && error?.reason.contains(member) == true, "\(error as Any)")
            #expect(error?.reason.contains("endsAt, id, place") == true, "\(error as Any)")
        }
    }

    @Test("After a property has changed its type, an explanation and errors name the index of the old form")
    func oldIndex() async throws {
        struct Old: Codable, Identifiable, Sendable {
            let id: String
            var price: String
        }
        struct New: Codable, Identifiable, Sendable, Queryable {
            let id: String
            var price: Decimal
            static let fields = EntityFields(of: New.self)
        }
        let directory = try TemporaryDirectory()
        for makeLocation in UserProfileStorageTests.locations.prefix(2) {
            let location = try makeLocation(directory)
            let old = try await UserProfileStorage.open(
                location, entities: [EntityType(Old.self, in: "items", indexes: [.unique("price")])])
            try await old.repository(of: Old.self).save(Old(id: "a", price: "1"))
            await old.close()
            let new = try await UserProfileStorage.open(
                location, entities: [EntityType(New.self, in: "items", indexes: [.unique(\.price)])])
            let items = try new.repository(of: New.self)
            let explanation = try await items.explain(Query(where: \.price > 0))
            let command = "run profile-cli store indexes drop items price"
            #expect(explanation.unusedIndexes.count == 1 && "\(explanation)".contains(command), "\(explanation)")
            try await new.records.removeIndex(of: "items", named: "price")
            #expect(try await items.explain(Query(where: \.price > 0)).unusedIndexes == [])
            await new.close()
        }
    }

    @Test("Indexes of fields, nested fields, elements and enumerations are accepted")
    func rightIndexes() async throws {
        let storage = try await open(.memory, [.on("place.name"), .on("place.floor"), .on("tags[]"), .on("status")])
        await storage.close()
    }

    struct Misnamed<Content: FieldContent>: Codable, Identifiable, Sendable, Queryable {
        var id = 1
        var title = "a"
        var startsAt = Date()

        struct Fields: Sendable { let field = EntityField<Misnamed, Content>("title") }
        static var fields: Fields { Fields() }
    }

    @Test("A query field of another type than the stored one is an error at open")
    func wrongQueryField() async throws {
        let right = try await UserProfileStorage.open(
            .memory, entities: [EntityType(Misnamed<String>.self, in: "a")])
        await right.close()
        let error = await #expect(throws: DataStoreError.self) {
            try await UserProfileStorage.open(.memory, entities: [EntityType(Misnamed<Int>.self, in: "a")])
        }
        #expect(error?.reason.contains("title is stored as text, but compared with number") == true)
    }

    /// A type of whose last field only the name can be determined, because the enum before it rejects empty text.
    struct Guarded: Codable, Identifiable, Sendable {
        let id: Int
        var status: Trip.Status
        var title: String
    }

    /// A type whose fields are known only during decoding.
    struct Dynamic: Codable, Identifiable, Sendable {
        let id: Int
        var others: [String: Int]
    }

    @Test("An index is accepted if the fields of the type cannot be determined")
    func unknownFields() async throws {
        let storage = try await UserProfileStorage.open(
            .memory,
            entities: [
                EntityType(Guarded.self, in: "guarded", indexes: [.on("title")]),
                EntityType(Dynamic.self, in: "dynamic", indexes: [.on("others.any")]),
            ])
        await storage.close()
        let error = await #expect(throws: DataStoreError.self) {
            try await UserProfileStorage.open(
                .memory, entities: [EntityType(Guarded.self, in: "guarded", indexes: [.on("titel")])])
        }
        #expect(error?.reason == "Guarded has no field titel; it has id, status, title")
    }

    @Test(
        "A reserved or invalid collection is an error at open",
        arguments: ["users", "weather", "settings", "imports", "", "a\0"])
    func invalidCollection(_ name: String) async throws {
        let entities = [EntityType(Trip.self, in: name), EntityType(CodableMapping(Trip.self, in: name))]
        for entity in entities {
            let error = await #expect(throws: DataStoreError.self) {
                try await UserProfileStorage.open(.memory, entities: [entity])
            }
            #expect(error?.code == (["", "a\0"].contains(name) ? .invalidKey : .misuse))
        }
    }

    @Test("A schema of records rejects invalid and repeated declarations")
    func invalidSchemas() {
        let malformed: [IndexDefinition] = [
            .on(""), .on("b."), .on("b["), .on("a", "tags[]"), .on("a", ""), .on("a[", "b"),
        ]
        for (collections, code) in [
            ([.init("a"), .init("a")], .misuse), ([.init("$migrations")], .misuse), ([.init("")], .invalidKey),
            ([.init("a\0")], .invalidKey),
            ([.init("a", indexes: [.on("b"), .on("d")], fields: .record(["b": .unknown]))], .misuse),
        ] + malformed.map({ ([.init("a", indexes: [$0])], .misuse) }) as [([Schema.Collection], DataStoreError.Code)] {
            let error = #expect(throws: DataStoreError.self, "\(collections)") { _ = try Schema(collections) }
            #expect(error?.code == code, "\(collections)")
        }
    }

    @Test("A collection or type that is declared twice is an error at open")
    func repeatedDeclarations() async throws {
        for entities in [
            [EntityType(Trip.self, in: "a"), EntityType(Guarded.self, in: "a")],
            [EntityType(Trip.self, in: "a"), EntityType(Trip.self, in: "b")],
        ] {
            let error = await #expect(throws: DataStoreError.self) {
                try await UserProfileStorage.open(.memory, entities: entities)
            }
            #expect(error?.code == .misuse && error?.reason.contains("declared twice") == true)
        }
    }

    @Test("An undeclared type is an error that contains the declaration to add")
    func undeclaredType() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        let error = #expect(throws: DataStoreError.self) { _ = try storage.repository(of: Trip.self) }
        #expect(error?.reason.contains("EntityType(Trip.self, in: ") == true)
        let users = try storage.repository(of: User.self)
        try await users.save(User(id: .me))
        #expect(try await storage.users.list().map(\.id) == [.me])
        await storage.close()
    }

    /// Existing duplicates are reported when the storage is opened, and the store remains usable without the
    /// declaration.
    @Test("Duplicates of a unique field are named at open")
    func duplicates() async throws {
        let directory = try TemporaryDirectory()
        let location = StorageLocation.lmdb(directory.path("store"))
        let storage = try await open(location)
        let (first, second) = (Trip("same"), Trip("same"))
        for trip in [first, second] { try await storage.repository(of: Trip.self).save(trip) }
        await storage.close()
        let error = await #expect(throws: DataStoreError.self) { try await open(location, [.unique("title")]) }
        #expect(error?.code == .notUnique)
        for trip in [first, second] { #expect(error?.description.contains(trip.id.uuidString) == true) }
        let again = try await open(location)
        _ = try await again.repository(of: Trip.self).delete(second.id)
        await again.close()
        await (try open(location, [.unique("title")])).close()
    }

    @Test("A check covers the indexes of a program's own entities")
    func checkedEntities() async throws {
        let directory = try TemporaryDirectory()
        let location = StorageLocation.lmdb(directory.path("store"))
        let storage = try await open(location, [.on("title")])
        try await storage.repository(of: Trip.self).save(Trip("a"))
        #expect(try await location.check() == [])
        let report = try #require(try await storage.records.checkIndexes().first)
        #expect(report.collection == "trips" && report.name == "title" && report.matchesRecords)
        await storage.close()
    }

    @Test("A storage is closed after a closure, also if it throws")
    func closing() async throws {
        let store = try await UserProfileStorage.open(
            .memory, entities: [EntityType(Trip.self, in: "trips")]
        ).closing { storage in
            try await storage.repository(of: Trip.self).save(Trip("a"))
            return storage.records
        }
        await #expect(throws: DataStoreError.self) { try await store.generation() }
        await #expect(throws: CancellationError.self) {
            try await UserProfileStorage.open(.memory).closing { _ in throw CancellationError() }
        }
    }
}
