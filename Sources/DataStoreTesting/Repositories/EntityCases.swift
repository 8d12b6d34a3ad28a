import Testing

extension RepositoryConformance {
    static let entityCases: [RepositoryConformance] = [
        .init("a save replaces the whole entity and no other, and values are kept exactly") { users in
            let unusual = [
                "Vision@EXAMPLE.com", "\"a b\"@example.com", "\"'\\\"\\\\\"@example.com", "é@例え.jp",
                "e\u{301}@x.example", "a+b%20=&c#d/e?@example.com",
            ]
            let lengths = [1, 29, 30, 31, 61, 62].map { "\(String(repeating: "a", count: $0))@b" }
            let addresses = unusual + lengths
            var saved: [User] = []
            for text in UserID.unusual + addresses {
                let address = addresses.contains(text) ? try MailAddress(text) : nil
                let user = User(id: try UserID(text), mailAddress: address, birthday: try Birthday("0001-01-01"))
                #expect(try await users.find(user.id) == nil, "\(text)")
                // A user without fields differs from a user who was never saved.
                for state in [User(id: user.id), user, User(id: user.id), user] {
                    try await users.save(state)
                    let found = try #require(try await users.find(user.id), "\(text)")
                    #expect(found == state)
                    // Equal addresses can differ in the case of the domain.
                    #expect(found.mailAddress?.text == state.mailAddress?.text)
                }
                saved.append(user)
            }
            #expect(try await users.find(saved.map(\.id)) == saved)
            for user in saved { #expect(try await users.delete(user.id), "\(user.id)") }
            #expect(try await users.count() == 0)
        },
        .init("deleting removes one entity, or all that meet a condition, and returns how many") { users in
            let (ada, ben) = (try User.ada(), try User.ben())
            try await users.save(contentsOf: [ada, ben])
            #expect(try await users.delete(ada.id))
            #expect(try await !users.delete(ada.id))
            #expect(try await users.list() == [ben])
            for user in [ada, User(id: .me)] { try await users.save(user) }
            #expect(try await users.deleteAll { $0.mailAddress == nil } == 2)
            #expect(try await users.list() == [ada])
            #expect(try await users.deleteAll() == 1)
            #expect(try await users.deleteAll() == 0)
            #expect(try await users.list().isEmpty)
        },
        .init("an update creates, changes or deletes an entity, and returns a result") { users in
            let (ada, birthday) = (try User.ada(), try Birthday("1990-02-03"))
            try await users.update(ada.id) { user in user = nil }
            #expect(try await users.list().isEmpty)
            try await users.update(ada.id) { user in
                guard user == nil else { throw Interruption(number: 0) }
                user = ada
            }
            #expect(try await users.find(ada.id) == ada)
            let address = try await users.update(ada.id) { user in
                user?.birthday = birthday
                return user?.mailAddress
            }
            #expect(address == ada.mailAddress)
            #expect(try await users.find(ada.id) == User(id: ada.id, mailAddress: ada.mailAddress, birthday: birthday))
            try await users.update(ada.id) { user in user = nil }
            #expect(try await users.list().isEmpty)
        },
        .init("an update that throws or changes the id is rejected, and changes nothing") { users in
            let (ada, ben) = (try User.ada(), try User.ben())
            // The two ids are spellings of é and therefore equal as strings.
            let (composed, decomposed) = (try UserID("\u{E9}"), try UserID("e\u{301}"))
            for saved in [[], [ada, ben]] {
                try await users.save(contentsOf: saved)
                await #expect(throws: Interruption(number: 7)) {
                    try await users.update(ada.id) { user in
                        user = User(id: ada.id)
                        throw Interruption(number: 7)
                    }
                }
                await #expect(throws: CancellationError.self) {
                    try await users.update(ada.id) { _ in throw CancellationError() }
                }
                for (id, other) in [(ada.id, ben.id), (composed, decomposed)] {
                    let error = await #expect(throws: RepositoryError.self) {
                        try await users.update(id) { user in user = User(id: other) }
                    }
                    #expect(error?.code == .programmingError)
                    #expect(error?.message.contains(id.text) == true && error?.message.contains(other.text) == true)
                }
                #expect(try await users.list() == saved)
            }
        },
        .init("concurrent updates never overwrite each other") { users in
            let ada = try User.ada()
            let first = try CalendarDate(year: 1960, month: 1, day: 1)
            try await users.save(User(id: ada.id, birthday: Birthday(first)))
            try await concurrently(8) { task in
                // Every other task changes the address meanwhile. Each update must keep the value that others change.
                guard task.isMultiple(of: 2) else {
                    try await users.update(ada.id) { $0?.mailAddress = ada.mailAddress }
                    return
                }
                for _ in 0..<10 {
                    try await users.update(ada.id) { user in
                        let year = (user?.birthday?.date.year ?? 0) + 1
                        user?.birthday = Birthday(try CalendarDate(year: year, month: 1, day: 1))
                    }
                }
            }
            #expect(
                try await users.find(ada.id)
                    == User(id: ada.id, mailAddress: ada.mailAddress, birthday: try Birthday("2000-01-01")))
        },
    ]
}

extension User {
    static func ada() throws -> User { User(id: try UserID("ada"), mailAddress: try MailAddress("ada@example.com")) }

    static func ben() throws -> User { User(id: try UserID("ben"), birthday: try Birthday("1990-02-03")) }
}

extension UserID {
    /// Ids with characters that have a special meaning in paths, URLs and quoted texts, and both Unicode spellings of
    /// é.
    fileprivate static let unusual = [
        "a b", ".", "..", "/", "a/b", "a?b=c&d", "#", "%", "%20", "+", "'", "''", "\"", "\\", ",", "(a,b)", "null", ";",
        "é", "e\u{301}", "😀", String(repeating: "é", count: 100),
    ]
}
