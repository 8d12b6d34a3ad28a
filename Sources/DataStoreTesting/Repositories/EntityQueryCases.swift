import Testing
import UserProfileDomain

extension RepositoryConformance {
    static let entityQueryCases: [RepositoryConformance] = [
        .init(repositories: "random queries match a filter and a sort in memory") { makeRepository in
            var generator = SeededGenerator()
            print("repository queries: seed \(generator.seed)")
            for _ in 0..<DataStoreConformance.count(3, full: 20) {
                try await checkQueries(of: makeRepository(), using: &generator)
            }
        },
        .init("without a query all users are found") { users in
            for id in ["b", "a", "c"] { try await users.save(User(id: UserID(id))) }
            let page = try await users.find(Query())
            #expect(page.entities.map(\.id.text) == ["a", "b", "c"] && page.next == nil)
            #expect(try await users.find(Query(limit: 0)).entities == [])
            #expect(try await users.count() == 3)
        },
        .init("texts in conditions are values without a syntax") { users in
            let texts = [
                "'", "''", "\"", "\\", "%", "_", "?", ",", "(", ")", "&", "=", "+", "%27", "é", "e\u{301}", "null",
            ]
            for text in texts { try await users.save(User(id: UserID(text))) }
            for text in texts {
                let id = try UserID(text)
                #expect(try await users.find(Query(where: \.id == id)).entities.map(\.id) == [id])
                #expect(try await users.find(Query(where: .isIn(\.id, [id, .me]))).entities.map(\.id) == [id])
                let found = texts.filter { Array($0.unicodeScalars).contains(Array(text.unicodeScalars)) }
                #expect(try await users.count(where: .contains(\.id, text)) == found.count, "\(text)")
            }
        },
        .init("entities are combined one at a time") { users in
            for user in [try User.ada(), try User.ben()] { try await users.save(user) }
            let query = Query<User>(sort: [.descending(\.birthday)])
            let ids = try await users.reduce(query, into: "") { ids, user in ids += user.id.text }
            #expect(ids == "benada")
            await #expect(throws: Interruption(number: 1)) {
                try await users.reduce(query, into: 0) { _, _ in throw Interruption(number: 1) }
            }
        },
        .init("a cursor of another sort is an error") { users in
            let cursor = Query<User>.Cursor(values: [.text("2000-01-01")], id: .me)
            await #expect(throws: RepositoryError.self) { try await users.find(Query(after: cursor)) }
        },
    ]

    /// Compares the results of random queries of a repository with users that plain Swift code filters and sorts.
    private static func checkQueries(
        of users: any Repository<User>, using generator: inout SeededGenerator
    ) async throws {
        let seed = generator.seed
        let saved = try (0..<Int.random(in: 0...40, using: &generator)).map { id in
            try User.random(UserID(String(id)), using: &generator)
        }
        try await users.save(contentsOf: saved)
        for number in 0..<50 {
            let filter = try UserFilter.random(using: &generator)
            let sort = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                UserFilter.randomSort(using: &generator)
            }
            let expected = saved.filter(filter.holds).sorted { left, right in
                sort.lazy.compactMap { $0.precedes(left, right) }.first ?? (left.id < right.id)
            }
            let query = Query(
                where: filter.filter, sort: sort.map(\.sort), limit: Int.random(in: 1...15, using: &generator))
            let found = try await pages(query, of: users)
            #expect(found == expected, "seed \(seed): \(query)")
            let count = try await users.count(where: filter.filter)
            #expect(count == expected.count, "seed \(seed): \(filter.filter)")
            // Only every tenth query checks aggregates, because a repository over a network may need a request for each
            // value.
            if number.isMultiple(of: 10) { try await checkAggregates(expected, filter.filter, of: users, seed) }
        }
        let deleted = try UserFilter.random(using: &generator)
        let count = try await users.deleteAll(where: deleted.filter)
        let left = try await users.list()
        #expect(
            Set(left) == Set(saved.filter { !deleted.holds($0) }) && count == saved.count - left.count,
            "seed \(seed): \(deleted.filter)")
    }

    /// Compares the aggregates of the users that meet a filter with aggregates that plain Swift code computes.
    private static func checkAggregates(
        _ expected: [User], _ filter: Filter<User>, of users: any Repository<User>, _ seed: UInt64
    ) async throws {
        let birthdays = expected.compactMap(\.birthday)
        let least = try await users.min(of: \.birthday, where: filter)
        let greatest = try await users.max(of: \.birthday, where: filter)
        #expect(least == birthdays.min() && greatest == birthdays.max(), "seed \(seed): \(filter)")
        let counts = try await users.counts(by: \.birthday, where: filter)
        #expect(counts == Dictionary(grouping: expected, by: \.birthday).mapValues(\.count), "seed \(seed): \(filter)")
    }

    /// Returns the users of all pages of a query.
    private static func pages(_ query: Query<User>, of users: any Repository<User>) async throws -> [User] {
        var (found, next): ([User], Query<User>) = ([], query)
        while true {
            let page = try await users.find(next)
            #expect(page.entities.count <= query.limit ?? .max)
            found += page.entities
            guard let cursor = page.next else { return found }
            next.cursor = cursor
        }
    }
}
