import Testing
import UserProfileDomain

@Suite("The use case of users")
struct UserUseCaseTests {
    private let users = RepositoryDouble<User>()
    private let now = Instant(seconds: 1_767_225_600)  // 2026-01-01T00:00:00Z
    private let address: MailAddress
    private let birthday: Birthday
    private let other: UserID

    private var useCase: UserUseCase { UserUseCase(users: users) }

    init() throws {
        address = try MailAddress("vision@example.com")
        birthday = try Birthday("2011-08-01")
        other = try UserID("other")
    }

    @Test("returns nil for a user who was never saved")
    func neverSaved() async throws {
        #expect(try await users.find(.me) == nil)
        #expect(try await useCase.mailAddress() == nil)
        #expect(try await useCase.birthday() == nil)
    }

    @Test("saves one value and leaves the other unchanged, in either order", arguments: [true, false])
    func savesOne(addressFirst: Bool) async throws {
        if addressFirst { try await useCase.saveMailAddress(address) }
        try await useCase.saveBirthday(birthday, now: now)
        if !addressFirst { try await useCase.saveMailAddress(address) }
        #expect(try await users.find(.me) == User(id: .me, mailAddress: address, birthday: birthday))

        let newAddress = try MailAddress("new@example.com")
        try await useCase.saveMailAddress(newAddress)
        #expect(try await useCase.mailAddress() == newAddress)
        #expect(try await useCase.birthday() == birthday)
    }

    @Test("clears one value, keeps the other, and reports whether one was saved")
    func clears() async throws {
        #expect(try await useCase.clearMailAddress() == false)
        #expect(try await users.find(.me) == nil, "no user is created")
        try await useCase.saveMailAddress(address)
        try await useCase.saveBirthday(birthday, now: now)
        #expect(try await useCase.clearMailAddress())
        #expect(try await users.find(.me) == User(id: .me, birthday: birthday))
        #expect(try await useCase.clearMailAddress() == false)
        #expect(try await useCase.clearBirthday())
        #expect(try await users.find(.me) == User(id: .me))
        #expect(try await useCase.clearBirthday() == false)
        let failure = RepositoryError(.unexpected, message: "full")
        await users.fail(with: failure)
        await #expect(throws: RepositoryError.self) { try await useCase.clearMailAddress() }
    }

    @Test("removes one value with nil and keeps the other; the user then exists without values")
    func removes() async throws {
        try await useCase.saveMailAddress(address)
        try await useCase.saveBirthday(birthday, now: now)
        try await useCase.saveMailAddress(nil)
        #expect(try await users.find(.me) == User(id: .me, birthday: birthday))
        try await useCase.saveBirthday(nil, now: now)
        #expect(try await users.find(.me) == User(id: .me))
    }

    @Test("imports the values of another user, and leaves the others unchanged")
    func merges() async throws {
        try await useCase.merge(User(id: .me, mailAddress: address), now: now)
        #expect(try await users.find(.me) == User(id: .me, mailAddress: address))
        try await useCase.merge(User(id: .me, birthday: birthday), now: now)
        #expect(try await users.find(.me) == User(id: .me, mailAddress: address, birthday: birthday))
        let newAddress = try MailAddress("new@example.com")
        try await useCase.merge(User(id: .me, mailAddress: newAddress), now: now)
        #expect(try await users.find(.me) == User(id: .me, mailAddress: newAddress, birthday: birthday))
        try await useCase.merge(User(id: other), now: now)
        #expect(try await users.find(other) == User(id: other))
    }

    @Test("imports nothing if the birthday is in the future")
    func mergesNothing() async throws {
        let tomorrow = User(id: .me, mailAddress: address, birthday: try Birthday("2026-01-03"))
        await #expect(throws: ValidationError.self) { try await useCase.merge(tomorrow, now: now) }
        #expect(try await users.find(.me) == nil)
    }

    @Test("creates a user only if it does not exist and the birthday has begun")
    func creates() async throws {
        let user = User(id: .me, mailAddress: address, birthday: birthday)
        try await useCase.create(user, now: now)
        let error = await #expect(throws: RepositoryError.self) { try await useCase.create(User(id: .me), now: now) }
        #expect(error?.code == .conflict)
        let tomorrow = User(id: other, birthday: try Birthday("2026-01-03"))
        await #expect(throws: ValidationError.self) { try await useCase.create(tomorrow, now: now) }
        #expect(try await users.list() == [user])
    }

    @Test("creates a user without a mail address, which differs from no user")
    func withoutAddress() async throws {
        try await useCase.saveMailAddress(nil)
        #expect(try await users.find(.me) == User(id: .me))
        #expect(try await users.find(other) == nil)
    }

    @Test("separates users")
    func keepsApart() async throws {
        try await useCase.saveMailAddress(address)
        try await useCase.saveBirthday(birthday, of: other, now: now)
        #expect(try await users.find(.me) == User(id: .me, mailAddress: address))
        #expect(try await users.find(other) == User(id: other, birthday: birthday))
    }

    @Test("loses neither value if both are saved concurrently")
    func savesAtOnce() async throws {
        let (useCase, address, birthday, now) = (useCase, address, birthday, now)
        for number in 0..<50 {
            let id = try UserID("\(number)")
            async let first: Void = useCase.saveMailAddress(address, of: id)
            async let second: Void = useCase.saveBirthday(birthday, of: id, now: now)
            _ = try await (first, second)
            #expect(try await users.find(id) == User(id: id, mailAddress: address, birthday: birthday))
        }
    }

    @Test("saves neither value if the precondition throws")
    func precondition() async throws {
        struct Deleted: Error {}
        let existing = { @Sendable (user: User?) throws in if user == nil { throw Deleted() } }
        await #expect(throws: Deleted.self) { try await useCase.saveMailAddress(address, precondition: existing) }
        await #expect(throws: Deleted.self) {
            try await useCase.saveBirthday(birthday, now: now, precondition: existing)
        }
        #expect(try await users.count() == 0)
        try await users.save(User(id: .me))
        try await useCase.saveMailAddress(address, precondition: existing)
        try await useCase.saveBirthday(birthday, now: now, precondition: existing)
        #expect(try await users.find(.me) == User(id: .me, mailAddress: address, birthday: birthday))
    }

    @Test(
        "saves a birthday that has begun somewhere on Earth",
        arguments: [
            // At UTC+14 a day starts at 10:00 UTC of the previous day.
            ("2011-08-01", "2011-07-31T10:00:00Z"), ("2011-08-01", "2011-08-01T00:00:00Z"),
            ("2012-02-29", "2012-02-28T10:00:00Z"), ("2012-03-01", "2012-02-29T10:00:00Z"),
            ("0001-01-01", "0001-01-01T00:00:00Z"), ("9999-12-31", "9999-12-31T23:59:59Z"),
        ])
    func savesBegunBirthday(text: String, now: String) async throws {
        try await useCase.saveBirthday(Birthday(text), now: Instant(now))
        #expect(try await useCase.birthday()?.description == text)
    }

    @Test(
        "rejects a birthday in the future everywhere on Earth, and changes nothing",
        arguments: [
            ("2011-08-01", "2011-07-31T09:59:59.99Z", "2011-07-31"),
            ("2011-08-02", "2011-07-31T10:00:00Z", "2011-08-01"),
            ("2012-03-01", "2012-02-29T09:59:59Z", "2012-02-29"), ("9999-12-31", "2026-01-01T00:00:00Z", "2026-01-01"),
        ])
    func rejectsFuture(text: String, now: String, latest: String) async throws {
        try await useCase.saveBirthday(birthday, of: other, now: self.now)
        for id in [.me, other] {
            let before = try await users.find(id)
            let error = try await #require(throws: ValidationError.self) {
                try await useCase.saveBirthday(Birthday(text), of: id, now: Instant(now))
            }
            #expect(error.subject == .birthday)
            #expect(error.given == text)
            #expect(error.rule.contains("in the future"))
            #expect(error.rule.contains(latest))
            #expect(try await users.find(id) == before)
        }
    }

    @Test("rejects every birthday if the present is before the calendar, and none if it is after")
    func presentBeyondCalendar() async throws {
        for seconds in [-62_135_596_800 - 86_400, .min] as [Int64] {
            await #expect(throws: ValidationError.self) {
                try await useCase.saveBirthday(birthday, now: Instant(seconds: seconds))
            }
        }
        try await useCase.saveBirthday(birthday, now: Instant(seconds: .max))
        #expect(try await useCase.birthday() == birthday)
    }

    @Test("rethrows a failure, and works again afterwards")
    func failure() async throws {
        try await useCase.saveMailAddress(address)
        await users.fail(with: RepositoryError(.unavailable, message: "the store is locked"))
        let calls: [@Sendable (UserUseCase) async throws -> Void] = [
            { _ = try await $0.mailAddress() }, { _ = try await $0.birthday() },
            { try await $0.saveMailAddress(nil) }, { try await $0.saveBirthday(nil, now: Instant(seconds: 0)) },
        ]
        for call in calls {
            let error = try await #require(throws: RepositoryError.self) { try await call(useCase) }
            #expect(error.code == .unavailable)
            #expect("\(error)" == "the store is locked")
        }
        await users.fail(with: nil)
        #expect(try await useCase.mailAddress() == address)
    }
}
