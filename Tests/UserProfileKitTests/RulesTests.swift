import DataStoreCore
import DataStoreQueries
import Foundation
import RecordCoding
import Synchronization
import TestScale
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit

/// Tests of references, expiry and owners, as a program declares them for its own entities.
@Suite struct RulesTests {
    /// A typed id.
    struct Number: RawRepresentable, Codable, Hashable, Sendable, FieldContent, ExpressibleByIntegerLiteral {
        let rawValue: Int
        init(rawValue: Int) { self.rawValue = rawValue }
        init(integerLiteral rawValue: Int) { self.rawValue = rawValue }
    }

    struct Doctor: Codable, Identifiable, Hashable, Sendable {
        let id: Number
        var name: String
    }

    struct Visit: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: UUID
        var patient: UserID
        var doctor: Number?
        var others: [Number] = []
        static let fields = EntityFields(of: Visit.self)
    }

    struct Hold: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: String
        var slot: Int
        var endsAt: Date
        var note: String?
        static let fields = EntityFields(of: Hold.self)
    }

    static let types: [EntityType] = [
        EntityType(Doctor.self, in: "doctors"),
        EntityType(
            Visit.self, in: "visits",
            references: [
                .to("users", by: \.patient, onDelete: .cascade), .to("doctors", by: \.doctor, onDelete: .clear),
                .to("doctors", by: \.others),
            ], owner: \.patient),
        EntityType(Hold.self, in: "holds", indexes: [.unique(\.slot)], expiresAt: \.endsAt),
    ]

    @Test(
        "References by properties are enforced, followed, and found from the other end",
        arguments: UserProfileStorageTests.locations.indices)
    func references(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let location = try UserProfileStorageTests.locations[index](directory)
        let storage = try await UserProfileStorage.open(location, entities: Self.types)
        let (doctors, visits) = (try storage.repository(of: Doctor.self), try storage.repository(of: Visit.self))
        let visit = Visit(id: UUID(), patient: .me, doctor: 7, others: [8])
        await #expect {
            try await visits.save(visit)
        } throws: { error in
            guard let error = error as? RepositoryError else { return false }
            return error.code == .conflict && error.conflict?.collection == "users" && error.conflict?.id == "me"
                && error.conflict?.fields == ["patient"]
        }
        try await storage.users.save(User(id: .me))
        for id in 7...9 { try await doctors.save(Doctor(id: Number(rawValue: id), name: "\(id)")) }
        try await visits.save(visit)
        try await visits.save(Visit(id: UUID(), patient: .me))
        #expect(try await visits.related(\.doctor, to: Doctor(id: 7, name: "")) == [visit])
        #expect(try await visits.related(\.others, to: Doctor(id: 8, name: "")) == [visit])
        #expect(try await visits.explain(Query(where: \.doctor == 7)).index == "doctor")

        let page = try await storage.unitOfWork.find(
            Query<Visit>(sort: [.descending(\.doctor)]).including(\.doctor, of: Doctor.self))
        #expect(page.pairs.map(\.other) == [Doctor(id: 7, name: "7"), nil] && page.next == nil)
        let users = try await storage.snapshot {
            try $0.find(Query<Visit>().including(\.patient, of: User.self)).pairs.map(\.other?.id)
        }
        #expect(users == [.me, .me])

        try await doctors.delete(7)
        #expect(try await visits.find(visit.id)?.doctor == nil)
        await #expect(throws: RepositoryError.self) { try await doctors.delete(8) }
        #expect(try await doctors.delete(9))
        try await storage.users.delete(.me)
        #expect(try await visits.count() == 0)
        #expect(try await doctors.delete(8))
        await storage.close()
    }

    @Test(
        "A deletion cascades to any number of entities in one transaction",
        arguments: UserProfileStorageTests.locations.indices)
    func cascade(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let location = try UserProfileStorageTests.locations[index](directory)
        let storage = try await UserProfileStorage.open(location, entities: Self.types)
        let visits = try storage.repository(of: Visit.self)
        let count = TestScale.count(1100, full: 100_000)
        for id in [UserID.me, try UserID("other")] { try await storage.users.save(User(id: id)) }
        try await visits.save(contentsOf: (0..<count).map { _ in Visit(id: UUID(), patient: .me) })
        try await visits.save(Visit(id: UUID(), patient: UserID("other")))
        try await storage.users.delete(.me)
        #expect(try await visits.count() == 1)
        await storage.close()
    }

    @Test("A reference to a field that cannot be cleared, or that does not exist, is rejected when the storage opens")
    func invalidReferences() async throws {
        let invalid: [(EntityReference<Visit>, String)] = [
            (.to("users", by: \.patient, onDelete: .clear), "the field is required"),
            (.to("users", by: "patiend"), "has no field patiend"),
            (.to("users", by: \.patient.text), "is not the path of a stored field"),
        ]
        for (reference, reason) in invalid {
            let type = EntityType(Visit.self, in: "visits", references: [reference])
            await #expect {
                _ = try await UserProfileStorage.open(.memory, entities: [type])
            } throws: { error in
                (error as? DataStoreError)?.code == .misuse && "\(error)".contains(reason)
            }
        }
    }

    @Test(
        "An expired entity is not found in any way, and can be replaced",
        arguments: UserProfileStorageTests.locations.indices)
    func expiry(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let location = try UserProfileStorageTests.locations[index](directory)
        let seconds = Atomic<Int>(0)
        let storage = try await UserProfileStorage.open(
            location, entities: Self.types, now: { Instant(seconds: Int64(seconds.load(ordering: .relaxed))) })
        let holds = try storage.repository(of: Hold.self)
        func hold(_ id: String, _ slot: Int, until seconds: Double) -> Hold {
            Hold(id: id, slot: slot, endsAt: Date(timeIntervalSince1970: seconds), note: "old")
        }
        try await holds.save(contentsOf: [hold("a", 1, until: 10), hold("b", 2, until: 20)])
        seconds.store(10, ordering: .relaxed)
        #expect(try await holds.find("a") == nil)
        #expect(try await holds.find(["a", "b"]).map(\.id) == ["b"])
        #expect(try await holds.list().map(\.id) == ["b"])
        #expect(try await holds.list(after: nil, limit: 1).map(\.id) == ["b"])
        #expect(try await holds.count() == 1)
        #expect(try await holds.find(Query(where: \.slot == 1)).entities == [])
        #expect(try await holds.counts(by: \.slot).count == 1)
        #expect(try await holds.updateAll { $0.note = nil } == 1)
        #expect(try await holds.insertIfAbsent(Hold(id: "a", slot: 3, endsAt: Date(timeIntervalSince1970: 30))))
        #expect(try await holds.find("a")?.note == nil)
        seconds.store(20, ordering: .relaxed)
        #expect(try await !holds.delete("b"))
        let ids = try await storage.unitOfWork.perform { work in
            let holds = try work.repository(of: Hold.self)
            try holds.save(Hold(id: "c", slot: 2, endsAt: Date(timeIntervalSince1970: 40)))
            return try holds.list().map(\.id)
        }
        #expect(ids == ["a", "c"])
        seconds.store(30, ordering: .relaxed)
        #expect(try await holds.deleteAll() == 1)
        #expect(try await storage.records.purge() == 0)
        await storage.close()
    }

    @Test(
        "Everything of a user is exported and erased at once", arguments: UserProfileStorageTests.locations.indices)
    func person(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let location = try UserProfileStorageTests.locations[index](directory)
        let storage = try await UserProfileStorage.open(location, entities: Self.types)
        let visits = try storage.repository(of: Visit.self)
        let other = try UserID("other")
        for user in [UserID.me, other] {
            try await storage.users.save(User(id: user, birthday: try Birthday("2011-08-01")))
            for _ in 0..<3 { try await visits.save(Visit(id: UUID(), patient: user)) }
            try await storage.settings(named: "user/\(user)/theme").set("dark", for: Field("name", default: ""))
        }
        let lines = Mutex<[String]>([])
        let count = try await storage.export(of: .me, settingsPrefix: "user/me/") { line in
            lines.withLock { $0.append(line) }
        }
        #expect(count == 5)
        let text = lines.withLock { $0 }
        #expect(text.first?.hasPrefix(#"{"collection":"users","id":"me","record":{"birthday":"2011-08-01""#) == true)
        #expect(text.last == #"{"collection":"settings","id":"user/me/theme","record":{"name":"dark"}}"# + "\n")
        let report = try await storage.erase(.me, settingsPrefix: "user/me/")
        #expect(report == ["users": 1, "visits": 3, "settings": 1])
        #expect(try await storage.erase(.me).isEmpty)
        #expect(try await storage.export(of: .me) { _ in Issue.record("something is left") } == 0)
        #expect(try await visits.count() == 3)
        #expect(try await storage.users.list().map(\.id) == [other])
        await storage.close()
    }

    @Test("A check reports references that are broken")
    func check() async throws {
        let directory = try TemporaryDirectory()
        let location = StorageLocation.lmdb(directory.path("store"))
        let storage = try await UserProfileStorage.open(location, entities: Self.types)
        try await storage.users.save(User(id: .me))
        try await storage.repository(of: Visit.self).save(Visit(id: UUID(), patient: .me))
        await storage.close()
        #expect(try await location.check().isEmpty)
        // A write without the library's rules, as by a tool.
        let store = try await location.kind.open(at: location.address, report: nil)
        try await store.write { _ = try $0.backend.remove(Key(collection: "users", id: "me")) }
        await store.close()
        let findings = try await location.check()
        #expect(findings.contains { $0.contains("refers by patient to users/me, which does not exist") }, "\(findings)")
    }
}
