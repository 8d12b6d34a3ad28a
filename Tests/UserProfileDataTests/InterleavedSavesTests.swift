import DataStoreCore
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of two concurrent writers of one user.
@Suite struct InterleavedSavesTests {
    // Each task is the only writer of its field, so it must read the value that it has just saved. An update that the
    // other task overwrites is therefore detected immediately, not only if it is the last one.
    @Test("Interleaved saves of mail address and birthday are both kept")
    func interleavedSaves() async throws {
        let users = try UserRepository(MemoryDataStore())
        let useCase = UserUseCase(users: users)
        let now = Instant(seconds: 1_700_000_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...500 {
                    let address = try MailAddress("number\(number)@example.com")
                    try await useCase.saveMailAddress(address)
                    let saved = try await useCase.mailAddress()
                    #expect(saved == address)
                }
            }
            group.addTask {
                for number in 1...500 {
                    let birthday = Birthday(try CalendarDate(year: 1400 + number, month: 2, day: 28))
                    try await useCase.saveBirthday(birthday, now: now)
                    let saved = try await useCase.birthday()
                    #expect(saved == birthday)
                }
            }
            try await group.waitForAll()
        }
        let user = try await users.find(.me)
        let expected = User(
            id: .me, mailAddress: try MailAddress("number500@example.com"), birthday: try Birthday("1900-02-28"))
        #expect(user == expected)
    }
}
