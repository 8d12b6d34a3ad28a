import Testing

extension RepositoryConformance {
    private static func sample() throws -> [User] {
        try ["a", "b", "c", "d"].enumerated().map { number, id in
            User(id: try UserID(id), birthday: number < 2 ? nil : try Birthday("200\(number)-01-01"))
        }
    }

    static let batchCases: [RepositoryConformance] = [
        .init("an entity is inserted once") { users in
            let (ada, other) = (try User.ada(), User(id: try User.ada().id))
            try await users.insert(ada)
            let error = await #expect(throws: RepositoryError.self) { try await users.insert(other) }
            #expect(error?.code == .conflict && error?.message.contains("ada") == true)
            #expect(try await !users.insertIfAbsent(other))
            #expect(try await users.find(ada.id) == ada)
            #expect(try await users.insertIfAbsent(User.ben()))
            #expect(try await users.count() == 2)
        },
        .init("several entities are saved, found and deleted by their ids") { users in
            let sample = try sample()
            let ids = sample.map(\.id)
            try await users.save(contentsOf: sample)
            try await users.save(contentsOf: [])
            let missing = try UserID("missing")
            #expect(try await users.find([ids[3], missing, ids[0]]) == [sample[3], sample[0]])
            #expect(try await users.find([UserID]()).isEmpty)
            #expect(try await users.delete([ids[1], missing, ids[2], ids[1]]) == 2)
            #expect(try await users.delete([UserID]()) == 0)
            #expect(try await users.list() == [sample[0], sample[3]])
            // Of several entities with one id, the last is saved.
            try await users.save(contentsOf: [User(id: ids[2]), sample[0], sample[2]])
            #expect(try await users.list() == [sample[0], sample[2], sample[3]])
        },
        .init("the first entity of a query, whether there is one, and all of them combined") { users in
            let sample = try sample()
            #expect(try await users.first() == nil)
            try await users.save(contentsOf: sample)
            #expect(try await users.first() == sample[0])
            #expect(try await users.first(where: \.birthday != nil, sort: [.descending(\.birthday)]) == sample[3])
            #expect(try await users.first(where: \.mailAddress != nil) == nil)
            #expect(try await users.exists(sample[1].id))
            #expect(try await !users.exists(UserID("missing")))
            #expect(try await users.exists(where: \.birthday == nil))
            #expect(try await !users.exists(where: \.mailAddress != nil))
            let query = Query<User>(sort: [.descending(\.birthday)])
            #expect(try await users.reduce(query, into: "") { $0 += $1.id.text } == "dcab")
            await #expect(throws: Interruption(number: 1)) {
                try await users.reduce(query, into: 0) { _, _ in throw Interruption(number: 1) }
            }
        },
        .init("the entities that meet a filter are changed, in batches of any size") { users in
            let (sample, birthday) = (try sample(), try Birthday("1990-02-03"))
            for size in [nil, 1, 3, 4, 100] {
                try await users.save(contentsOf: sample)
                let count = try await users.updateAll(where: \.birthday == nil, batchSize: size) { user in
                    user.birthday = birthday
                }
                #expect(count == 2)
                #expect(try await users.list().map(\.birthday) == [birthday, birthday] + sample[2...].map(\.birthday))
                #expect(try await users.updateAll(where: nil, batchSize: size) { $0.birthday = nil } == 4)
                #expect(try await !users.exists(where: \.birthday != nil))
            }
            await #expect(throws: Interruption(number: 7)) {
                try await users.updateAll { _ in throw Interruption(number: 7) }
            }
        },
    ]
}
