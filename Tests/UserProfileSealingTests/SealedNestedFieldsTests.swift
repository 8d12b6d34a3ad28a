#if Sealing
import DataStoreCore
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain
import UserProfileKit
import UserProfileSealing

/// Tests of sealed fields of structs within entities, and of sealed structs and arrays.
@Suite struct SealedNestedFieldsTests {
    private struct Visit: Codable, Identifiable, Hashable, Sendable, Queryable {
        struct Place: Codable, Hashable, Sendable {
            var street: String
            var floor: Int?
            var tags: [String] = []
        }
        struct Contact: Codable, Hashable, Sendable {
            var home: Place?
            var work: Place?
        }
        let id: Int
        var place: Place
        var contact = Contact()
        var notes: [[String: Int]] = []
        var code: String
        var z: Bool?

        static let fields = EntityFields(of: Visit.self)

        // The paths are not in the order of a record's fields.
        static let entity = EntityType(
            Visit.self, in: "visits", indexes: [.on("code"), .on("contact.work.street")],
            sealing: [
                .opaque("z"), .opaque("place"), .searchable("contact.work.street"), .opaque("contact.home.tags"),
                .opaque("contact.home.street"), .opaque("notes"), .opaque("contact.work.floor"), .searchable("code"),
            ])
    }

    @Test("Nested fields, structs, arrays and missing values are sealed", arguments: ["memory", "plist", "lmdb"])
    func visits(_ kind: String) async throws {
        let directory = try TemporaryDirectory()
        let location: StorageLocation =
            switch kind {
            case "plist": .plist(directory.path("store"))
            case "lmdb": .lmdb(directory.path("store"))
            default: .memory
            }
        try SealingKey.random(number: 1).write(toNewFileAt: directory.path("key"))
        let long = String(repeating: "straße ", count: 50)
        let visits = [
            Visit(id: 0, place: .init(street: ""), code: ""),
            Visit(id: 1, place: .init(street: long, floor: -1, tags: ["", long]), code: long, z: true),
            Visit(
                id: 2, place: .init(street: "a"),
                contact: .init(home: .init(street: "b", floor: 2), work: .init(street: "Elm", tags: ["c"])),
                notes: [[:], ["d": 1, "e": 2]], code: "a"),
            Visit(
                id: 3, place: .init(street: "f"), contact: .init(work: .init(street: long, floor: 3)), code: "a",
                z: false),
        ]
        try await UserProfileStorage.open(
            location, entities: [Visit.entity], keys: .source(.file(directory.path("key")))
        ).closing { storage in
            let repository = try storage.repository(of: Visit.self)
            try await repository.save(contentsOf: visits)
            for visit in visits { #expect(try await repository.find(visit.id) == visit) }
            #expect(try await repository.list(after: nil, limit: nil) == visits)
            let found = try await repository.find(Query(where: \.code == "a"))
            #expect(found.entities == Array(visits[2...]))
            let atElm = try await repository.find(Query(where: \.contact.work.street == "Elm"))
            #expect(atElm.entities == [visits[2]])
            let old = try #require(try await storage.records.record("visits", "2"))
            #expect(!"\(old)".contains("Elm") && old["place"]?.kind == old["code"]?.kind)
            try await repository.update(2) { $0?.contact.work?.street = "Oak" }
            var expected = visits[2]
            expected.contact.work?.street = "Oak"
            #expect(try await repository.find(2) == expected)
            let new = try #require(try await storage.records.record("visits", "2"))
            // Unchanged values keep their bytes.
            for name in ["place", "notes", "code"] { #expect(new[name] == old[name], "\(name)") }
            #expect(new["contact"] != old["contact"])
        }
    }
}
#endif
