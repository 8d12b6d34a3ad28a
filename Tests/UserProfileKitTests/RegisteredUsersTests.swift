import Testing
import UserProfileDomain
import UserProfileKit

@Suite struct RegisteredUsersTests {
    private let guest: User

    init() throws {
        guest = User(id: .me, mailAddress: try MailAddress("guest@example.com"), birthday: try Birthday("2000-01-01"))
    }

    @Test("Stored values take precedence over registered ones", arguments: UserProfileStorageTests.locations.indices)
    func registeredUsers(_ index: Int) async throws {
        let directory = try TemporaryDirectory()
        let location = try UserProfileStorageTests.locations[index](directory)
        let storage = try await UserProfileStorage.open(location, registering: [guest])
        let (users, profiles) = (storage.users, storage.profiles)
        #expect(try await users.find(.me) == guest)
        #expect(try await users.list().isEmpty)
        #expect(try await storage.repository(of: User.self, skippingInvalid: { _ in }).find(.me) == guest)
        // Nothing is stored yet, so `delete` returns `false`.
        #expect(try await !users.delete(.me))

        let address = try MailAddress("vision@example.com")
        try await profiles.saveMailAddress(address)
        #expect(try await users.find(.me) == User(id: .me, mailAddress: address, birthday: guest.birthday))
        try await profiles.saveMailAddress(nil)
        #expect(try await users.find(.me) == guest)
        let other = User(id: try UserID("other"), birthday: try Birthday("2011-08-01"))
        try await profiles.saveBirthday(other.birthday, of: other.id, now: .now)
        #expect(try await users.list() == [User(id: .me), other])
        await storage.close()

        // Without the registration, only saved values are returned.
        guard location != .memory else { return }
        let plain = try await UserProfileStorage.open(location)
        #expect(try await plain.users.list() == [User(id: .me), other])
        await plain.close()
    }
}
