import DataStoreCore
import DataStoreQueries
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the sequences that return the current state of entities and each later state.
@Suite struct UpdatesTests {
    @Test("A user is delivered immediately and after each change", arguments: StoreLocation.Kind.allCases)
    func user(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        let users = try UserRepository(store)
        let profiles = UserUseCase(users: users)
        var states = users.updates(of: .me).makeAsyncIterator()
        #expect(try await states.next() == .some(nil))
        try await profiles.saveMailAddress(MailAddress("a@example.com"))
        try await profiles.saveMailAddress(MailAddress("b@example.com"))
        #expect(try await states.next() == User(id: .me, mailAddress: MailAddress("b@example.com")))
        // Another user, an equal value, or a field unknown to this program produces no new state.
        try await profiles.saveMailAddress(MailAddress("c@example.com"), of: UserID("other"))
        try await profiles.saveMailAddress(MailAddress("b@example.com"))
        try await store.put(["mailAddress": .string("b@example.com"), "unknown": .bool(true)], "users", "me")
        try await users.delete(.me)
        #expect(try await states.next() == .some(nil))
        await store.close()
        #expect(try await states.next() == .none)
        #expect(try await states.next() == .none)
    }

    @Test("The result of a query is delivered after each change", arguments: StoreLocation.Kind.allCases)
    func query(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        let users = try UserRepository(store)
        let profiles = UserUseCase(users: users)
        let query = Query<User>(where: .contains(\.mailAddress, "@example.com"), sort: [.descending(\.id)], limit: 2)
        var pages = users.updates(matching: query).makeAsyncIterator()
        #expect(try await pages.next()?.entities == [])
        for (id, ids) in [("a", ["a"]), ("c", ["c", "a"]), ("b", ["c", "b"])] {
            try await profiles.saveMailAddress(MailAddress("\(id)@example.com"), of: UserID(id))
            // Users that do not match the query, and another collection, produce no new page.
            try await profiles.saveMailAddress(MailAddress("\(id)@example.org"), of: UserID("z\(id)"))
            try await store.put([:], "others", id)
            #expect(try await pages.next()?.entities.map(\.id.text) == ids)
        }
        #expect(try await users.find(query).next != nil)
        await store.close()
        #expect(try await pages.next() == nil)
    }

    /// Entities that are not `Equatable` are compared by their records.
    @Test("An entity that is not Equatable is not delivered twice")
    func incomparableEntity() async throws {
        let store = MemoryDataStore()
        let repository = try DataStoreRepository(store: store, mapping: PlainMapping())
        var states = repository.updates(of: "a").makeAsyncIterator()
        #expect(try await states.next()?.map(\.text) == .some(nil))
        for text in ["1", "1", "2"] { try await repository.save(Plain(id: "a", text: text)) }
        #expect(try await states.next()??.text == "2")
        try await repository.save(Plain(id: "a", text: "2"))
        try await repository.delete("a")
        #expect(try await states.next()?.map(\.text) == .some(nil))
    }

    /// The error is thrown once; the next call returns when the record is repaired.
    @Test("A damaged user is an error until it is repaired")
    func damagedUser() async throws {
        let store = MemoryDataStore()
        let users = try UserRepository(store)
        try await store.put(["mailAddress": .integer(1)], "users", "me")
        var states = users.updates(of: .me).makeAsyncIterator()
        let error = await #expect(throws: RepositoryError.self) { try await states.next() }
        #expect(error?.code == .corrupted && error?.causes.first is DataStoreError)
        // The first write leaves the record damaged, the second repairs it.
        try await store.put(["mailAddress": .integer(1), "again": .bool(true)], "users", "me")
        try await store.put(["mailAddress": .string("a@example.com")], "users", "me")
        #expect(try await states.next() == User(id: .me, mailAddress: MailAddress("a@example.com")))
    }

    @Test("An invalid query is an error")
    func invalidQuery() async throws {
        let repository = try DataStoreRepository(store: MemoryDataStore(), mapping: PlainMapping())
        var pages = repository.updates(matching: Query(where: Filter(.exists("unknown")))).makeAsyncIterator()
        await #expect(throws: RepositoryError.self) { try await pages.next() }
    }

    /// Registered values are delivered for missing fields, and stored values otherwise.
    @Test("Registered values complete the delivered entity")
    func registeredValues() async throws {
        let key = try Key(collection: "users", id: "me")
        let defaults = try RegisteredDefaults([Entry(key: key, record: ["birthday": .string("2011-08-01")])])
        let users = try UserRepository(MemoryDataStore(), defaults: defaults)
        let profiles = UserUseCase(users: users)
        var states = users.updates(of: .me).makeAsyncIterator()
        #expect(try await states.next() == User(id: .me, birthday: Birthday("2011-08-01")))
        try await profiles.saveMailAddress(MailAddress("a@example.com"))
        #expect(
            try await states.next()
                == User(id: .me, mailAddress: MailAddress("a@example.com"), birthday: Birthday("2011-08-01")))
    }
}

/// An entity that is not `Equatable`.
private struct Plain: Identifiable, Sendable {
    let id: String
    let text: String
}

private struct PlainMapping: RecordMapping {
    let collection = "plain"
    let fieldNames = ["text"]

    func text(of id: String) -> String { id }
    func id(of text: String) -> String { text }
    func record(of entity: Plain) -> Record { ["text": .string(entity.text)] }

    func entity(of record: borrowing RecordView, id: String) throws -> Plain {
        Plain(id: id, text: try record.required("text"))
    }
}
