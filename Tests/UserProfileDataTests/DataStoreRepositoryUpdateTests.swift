import DataStoreCore
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of reading and changing an entity in one transaction.
@Suite struct DataStoreRepositoryUpdateTests {
    private let users: UserRepository
    private let ada: User

    init() throws {
        users = try UserRepository(MemoryDataStore())
        ada = User(id: try UserID("ada"), mailAddress: try MailAddress("ada@example.com"))
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

    @Test("The error of a changed id names the record and the other id")
    func changedID() async throws {
        try await users.save(ada)
        let error = await #expect(throws: RepositoryError.self) {
            try await users.update(ada.id) { user in user = User(id: try UserID("ben")) }
        }
        #expect(error?.message.contains("users/ada") == true && error?.message.contains("ben") == true)
    }
}
