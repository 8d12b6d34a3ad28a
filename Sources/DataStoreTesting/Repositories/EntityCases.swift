import Testing
import UserProfileDomain

extension RepositoryConformance {
    static let entityCases: [RepositoryConformance] = [
        RepositoryConformance("a saved entity is found") { (users: any Repository<User>) async throws in
            let (ada, ben) = (try User.ada(), try User.ben())
            try await users.save(ada)
            try await users.save(ben)
            #expect(try await users.find(ada.id) == ada)
            #expect(try await users.find(ben.id) == ben)
            #expect(try await users.find(UserID("eve")) == nil)
        },
        RepositoryConformance("a user without fields differs from a user who was never saved") {
            (users: any Repository<User>) async throws in
            #expect(try await users.find(.me) == nil)
            try await users.save(User(id: .me))
            #expect(try await users.find(.me) == User(id: .me))
        },
        RepositoryConformance("a save replaces the whole entity") { (users: any Repository<User>) async throws in
            let (ada, ben) = (try User.ada(), try User.ben())
            try await users.save(ada)
            let other = User(id: ada.id, birthday: ben.birthday)
            try await users.save(other)
            #expect(try await users.find(ada.id) == other)
        },
        RepositoryConformance("values are kept exactly") { (users: any Repository<User>) async throws in
            let unusual = [
                "Vision@EXAMPLE.com", "\"a b\"@example.com", "\"'\\\"\\\\\"@example.com", "é@例え.jp",
                "e\u{301}@x.example", "a+b%20=&c#d/e?@example.com",
            ]
            let lengths = [1, 29, 30, 31, 61, 62].map { "\(String(repeating: "a", count: $0))@b" }
            let addresses = unusual + lengths
            for text in UserID.unusual + addresses {
                let user = User(
                    id: try UserID(text), mailAddress: addresses.contains(text) ? try MailAddress(text) : nil,
                    birthday: try Birthday("0001-01-01"))
                try await users.save(user)
                let found = try #require(try await users.find(user.id), "\(text)")
                #expect(found == user)
                // Equal addresses can differ in the case of the domain.
                #expect(found.mailAddress?.text == user.mailAddress?.text)
            }
            #expect(try await users.count() == UserID.unusual.count + addresses.count)
        },
        RepositoryConformance("deleting removes one entity") { (users: any Repository<User>) async throws in
            let (ada, ben) = (try User.ada(), try User.ben())
            try await users.save(ada)
            try await users.save(ben)
            #expect(try await users.delete(ada.id))
            #expect(try await !users.delete(ada.id))
            #expect(try await users.list() == [ben])
            for text in UserID.unusual {
                try await users.save(User(id: UserID(text)))
                #expect(try await users.delete(UserID(text)), "\(text)")
            }
            #expect(try await users.list() == [ben])
        },
        RepositoryConformance("deleting by a condition returns the number of deleted entities") {
            (users: any Repository<User>) async throws in
            let (ada, ben) = (try User.ada(), try User.ben())
            for user in [ada, ben, User(id: .me)] { try await users.save(user) }
            #expect(try await users.deleteAll { $0.mailAddress == nil } == 2)
            #expect(try await users.list() == [ada])
            #expect(try await users.deleteAll() == 1)
            #expect(try await users.deleteAll() == 0)
            #expect(try await users.list().isEmpty)
        },
    ]
}

extension User {
    static func ada() throws -> User {
        User(id: try UserID("ada"), mailAddress: try MailAddress("ada@example.com"))
    }

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
