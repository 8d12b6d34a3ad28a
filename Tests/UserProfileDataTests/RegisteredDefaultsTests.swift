import DataStoreCore
import Testing
import UserProfileData
import UserProfileDomain

@Suite struct RegisteredDefaultsTests {
    private let me: Key
    private let store = MemoryDataStore()
    private let guest: MailAddress

    init() throws {
        me = try Key(collection: "users", id: "me")
        guest = try MailAddress("guest@example.com")
    }

    private func users(_ records: Record...) throws -> UserRepository {
        let registered: [Record] = records.isEmpty ? [["mailAddress": .string(guest.text)]] : records
        return try UserRepository(
            store, defaults: try RegisteredDefaults(registered.map { Entry(key: me, record: $0) }))
    }

    @Test("A registered user is returned if nothing is stored, and nothing is written")
    func nothingStored() async throws {
        let users = try users()
        #expect(try await users.find(.me) == User(id: .me, mailAddress: guest))
        #expect(try await users.find(UserID("other")) == nil)
        #expect(try store.generation() == 0)
    }

    @Test("A stored user is completed by the registered fields that it lacks")
    func completes() async throws {
        let users = try users()
        let birthday = try Birthday("2011-08-01")
        try await users.save(User(id: .me, birthday: birthday))
        #expect(try await users.find(.me) == User(id: .me, mailAddress: guest, birthday: birthday))
        let own = User(id: .me, mailAddress: try MailAddress("own@example.com"))
        try await users.save(own)
        #expect(try await users.find(.me) == own)
        #expect(try await users.delete(.me))
        #expect(try await users.find(.me) == User(id: .me, mailAddress: guest))
    }

    @Test("Lists, queries, counts and writes see only stored users")
    func onlyPointReads() async throws {
        let users = try users()
        #expect(try await users.list(after: nil, limit: nil).isEmpty)
        #expect(try await users.find(Query(where: .exists(\.mailAddress))).entities.isEmpty)
        #expect(try await users.count() == 0)
        try await users.update(.me) { user in
            #expect(user == nil)
            user = User(id: .me)
        }
        #expect(try await users.list(after: nil, limit: nil) == [User(id: .me)])
        #expect(try await !users.delete(UserID("other")))
    }

    @Test("The fields of several entries with one key are merged; the last value applies")
    func merges() async throws {
        let users = try users(
            ["mailAddress": .string("a@example.com")],
            ["mailAddress": .string(guest.text), "birthday": .string("2011-08-01")])
        #expect(try await users.find(.me) == User(id: .me, mailAddress: guest, birthday: try Birthday("2011-08-01")))
    }

    @Test("A damaged stored record is always an error")
    func damaged() async throws {
        try await store.write { [me] in try $0.put(["mailAddress": .integer(1)], for: me) }
        await #expect(throws: RepositoryError.self) { try await users().find(.me) }
    }

    @Test("A record that no store accepts is not registered")
    func invalid() throws {
        let deep = (0...Record.maximumDepth).reduce(Value.bool(true)) { value, _ in .array([value]) }
        let error = #expect(throws: DataStoreError.self) { try users(["deep": deep]) }
        #expect(error?.code == .invalidRecord && error?.key == "users/me")
    }
}
