import DataStoreCore
import Foundation
import RecordCoding
import Testing
import UserProfileDomain
import UserProfileKit

/// Tests of entities and values that a program defines, used through the public interface of the kit.
@Suite struct OwnEntitiesTests {
    struct Note: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: UUID
        var title: String
        var due: Date?

        struct Fields: Sendable {
            let title = EntityField<Note, String>("title")
            let due = EntityField<Note, Date>("due")
        }
        static let fields = Fields()
    }

    @Test(
        "An entity of a program is saved, found and queried in each kind of store",
        arguments: UserProfileStorageTests.locations.indices)
    func ownEntity(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let location = try UserProfileStorageTests.locations[index](directory)
        let storage = try await UserProfileStorage.open(location, entities: [EntityType(Note.self, in: "notes")])
        let notes = try storage.repository(of: Note.self)
        let note = Note(id: UUID(), title: "milk", due: Date(timeIntervalSince1970: 1_700_000_000.5))
        try await notes.save(note)
        try await notes.save(Note(id: UUID(), title: "bread"))
        #expect(try await notes.find(note.id) == note)
        let due = try await notes.find(Query(where: \.due < Date(timeIntervalSince1970: 1_700_000_001)))
        #expect(due.entities == [note])
        let launches = Field("launches", default: 0)
        #expect(try await storage.settings().update(launches) { $0 += 1 } == 1)
        #expect(try await storage.settings(named: "other").has(launches) == false)
        await storage.close()
    }

    /// A person may read a property list.
    @Test("Dates and data have the types of a property list")
    func propertyListTypes() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("notes.plist")
        let storage = try await UserProfileStorage.open(.plist(path), entities: [EntityType(Note.self, in: "notes")])
        let notes = try storage.repository(of: Note.self)
        try await notes.save(Note(id: UUID(), title: "milk", due: Date(timeIntervalSince1970: 1_700_000_000)))
        try await storage.settings().set(Data([1, 2, 3]), for: Field("token", default: Data()))
        await storage.close()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("<date>2023-11-14T22:13:20Z</date>"))
        #expect(text.contains("<data>AQID</data>") || text.contains("AQID"))
        #expect(text.contains("<string>milk</string>"))
    }

    struct Bad: Codable, Identifiable, Sendable {
        let id: Int
        var number: Double
        func encode(to encoder: any Encoder) throws { throw CocoaError(.coderInvalidValue) }
    }

    @Test("An entity that cannot be encoded is bad input with its cause")
    func encodingError() async throws {
        let storage = try await UserProfileStorage.open(.memory, entities: [EntityType(Bad.self, in: "bad")])
        let bad = try storage.repository(of: Bad.self)
        let error = try #require(
            await #expect(throws: RepositoryError.self) { try await bad.save(Bad(id: 1, number: 0)) })
        let failure = Failure(error)
        #expect(failure.kind == .badInput && failure.causes.last is CocoaError)
        await storage.close()
    }
}
