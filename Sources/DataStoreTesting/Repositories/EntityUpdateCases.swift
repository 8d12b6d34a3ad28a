import Testing
import UserProfileDomain

extension RepositoryConformance {
    static let entityUpdateCases: [RepositoryConformance] = [
        RepositoryConformance("an update changes the saved entity") { (users: any Repository<User>) async throws in
            let (ada, birthday) = (try User.ada(), try Birthday("1990-02-03"))
            try await users.save(ada)
            #expect(try await users.update(ada.id) { user in user?.birthday = birthday })
            #expect(
                try await users.find(ada.id)
                    == User(id: ada.id, mailAddress: ada.mailAddress, birthday: birthday))
        },
        RepositoryConformance("an update creates a missing entity") { (users: any Repository<User>) async throws in
            let ada = try User.ada()
            let existed = try await users.update(ada.id) { user in
                guard user == nil else { throw Interruption(number: 0) }
                user = ada
            }
            #expect(!existed)
            #expect(try await users.find(ada.id) == ada)
        },
        RepositoryConformance("an update to nil deletes the entity") { (users: any Repository<User>) async throws in
            let ada = try User.ada()
            #expect(try await !users.update(ada.id) { user in user = nil })
            try await users.save(ada)
            #expect(try await users.update(ada.id) { user in user = nil })
            #expect(try await users.list().isEmpty)
        },
        RepositoryConformance("an update that throws changes nothing, and its error is rethrown") {
            (users: any Repository<User>) async throws in
            let ada = try User.ada()
            for saved in [[], [ada]] {
                for user in saved { try await users.save(user) }
                await #expect(throws: Interruption(number: 7)) {
                    try await users.update(ada.id) { user in
                        user = User(id: ada.id)
                        throw Interruption(number: 7)
                    }
                }
                await #expect(throws: CancellationError.self) {
                    try await users.update(ada.id) { _ in throw CancellationError() }
                }
                #expect(try await users.list() == saved)
            }
        },
        RepositoryConformance("an update that changes the id is rejected") {
            (users: any Repository<User>) async throws in
            let (ada, ben) = (try User.ada(), try User.ben())
            try await users.save(ada)
            try await users.save(ben)
            let error = await #expect(throws: RepositoryError.self) {
                try await users.update(ada.id) { user in user = User(id: ben.id) }
            }
            #expect(error?.code == .programmingError)
            #expect(error?.message.contains("ada") == true && error?.message.contains("ben") == true)
            // The two ids are spellings of é and therefore equal as strings.
            let (composed, decomposed) = (try UserID("\u{E9}"), try UserID("e\u{301}"))
            await #expect(throws: RepositoryError.self) {
                try await users.update(composed) { user in user = User(id: decomposed) }
            }
            #expect(try await users.list() == [ada, ben])
        },
        RepositoryConformance("concurrent updates never overwrite each other") {
            (users: any Repository<User>) async throws in
            let ada = try User.ada()
            let first = try CalendarDate(year: 1960, month: 1, day: 1)
            try await users.save(User(id: ada.id, birthday: Birthday(first)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 {
                            try await users.update(ada.id) { user in
                                let year = (user?.birthday?.date.year ?? 0) + 1
                                user?.birthday = Birthday(try CalendarDate(year: year, month: 1, day: 1))
                            }
                        }
                    }
                    // Another task changes the address meanwhile. Each update must keep the value that the other one
                    // changes.
                    group.addTask { try await users.update(ada.id) { $0?.mailAddress = ada.mailAddress } }
                }
                try await group.waitForAll()
            }
            #expect(
                try await users.find(ada.id)
                    == User(id: ada.id, mailAddress: ada.mailAddress, birthday: try Birthday("2000-01-01")))
        },
    ]
}
