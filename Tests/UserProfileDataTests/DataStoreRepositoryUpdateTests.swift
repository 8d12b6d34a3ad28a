import DataStoreCore
import DataStoreMemory
import Testing
import UserProfileData
import UserProfileDomain

/// Reading and changing an entity in one transaction.
@Suite struct DataStoreRepositoryUpdateTests {
    private struct ChangeError: Error, Equatable { let number: Int }

    private let users: UserRepository
    private let ada: User

    init() throws {
        users = try UserRepository(MemoryDataStore())
        ada = User(id: try UserID("ada"), mailAddress: try MailAddress("ada@example.com"))
    }

    @Test("An update changes the saved entity")
    func change() async throws {
        try await users.save(ada)
        let birthday = try Birthday("1990-02-03")
        #expect(try await users.update(ada.id) { user in user?.birthday = birthday })
        let found = try await users.find(ada.id)
        #expect(found == User(id: ada.id, mailAddress: ada.mailAddress, birthday: birthday))
    }

    @Test("An update creates a missing entity")
    func creation() async throws {
        let ada = ada
        let existed = try await users.update(ada.id) { user in
            guard user == nil else { throw ChangeError(number: 0) }
            user = ada
        }
        #expect(!existed)
        let found = try await users.find(ada.id)
        #expect(found == ada)
    }

    @Test("An update to nil deletes the entity", arguments: [true, false])
    func removal(_ exists: Bool) async throws {
        if exists { try await users.save(ada) }
        #expect(try await users.update(ada.id) { user in user = nil } == exists)
        let listed = try await users.list()
        #expect(listed.isEmpty)
    }

    @Test("An update that throws changes nothing", arguments: [true, false])
    func throwingChange(_ exists: Bool) async throws {
        if exists { try await users.save(ada) }
        let id = ada.id
        await #expect(throws: ChangeError(number: 7)) {
            try await users.update(id) { user in
                user = User(id: id)
                throw ChangeError(number: 7)
            }
        }
        let listed = try await users.list()
        #expect(listed == (exists ? [ada] : []))
    }

    // An error of the caller's closure is not converted, even if it looks like an error of the store.
    @Test("An error of the change is rethrown, even if the store could throw it")
    func thrownStoreError() async throws {
        let error = await #expect(throws: DataStoreError.self) {
            try await users.update(ada.id) { _ in throw DataStoreError(.full, "the caller's own") }
        }
        #expect(error?.code == .full)
        #expect(error?.reason == "the caller's own")
        await #expect(throws: CancellationError.self) {
            try await users.update(ada.id) { _ in throw CancellationError() }
        }
    }

    @Test("An update that changes the id is rejected")
    func changedID() async throws {
        let ben = User(id: try UserID("ben"), birthday: try Birthday("1990-02-03"))
        try await users.save(ada)
        try await users.save(ben)
        let error = await #expect(throws: RepositoryError.self) {
            try await users.update(ada.id) { user in user = User(id: ben.id) }
        }
        #expect(error?.code == .unexpected)
        #expect(error?.message.contains("users/ada") == true)
        #expect(error?.message.contains("ben") == true)
        let listed = try await users.list()
        #expect(listed == [ada, ben])
    }

    // The ids are equal as strings: é in two normalization forms.
    @Test("An update to another spelling of the id is rejected")
    func otherSpelling() async throws {
        let (composed, decomposed) = (try UserID("\u{E9}"), try UserID("e\u{301}"))
        await #expect(throws: RepositoryError.self) {
            try await users.update(composed) { user in user = User(id: decomposed) }
        }
        let listed = try await users.list()
        #expect(listed.isEmpty)
    }
}
