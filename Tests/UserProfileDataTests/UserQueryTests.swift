import DataStoreCore
import DataStoreMemory
import DataStoreTesting
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

/// Typed queries of users, compared with a filter and a sort in plain Swift.
@Suite struct UserQueryTests {
    @Test("Random queries match a filter and a sort in memory")
    func randomQueries() async throws {
        var generator = SeededGenerator()
        print("user queries: seed \(generator.seed)")
        for _ in 0..<10 {
            let users = try UserRepository(MemoryDataStore())
            var saved: [User] = []
            for id in 0..<Int.random(in: 0...40, using: &generator) {
                let user = try User.random(UserID(String(id)), using: &generator)
                try await users.save(user)
                saved.append(user)
            }
            for _ in 0..<50 {
                let filter = try UserFilter.random(using: &generator)
                let sort = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    UserSort.random(using: &generator)
                }
                let expected = saved.filter(filter.holds).sorted { left, right in
                    sort.lazy.compactMap { $0.precedes(left, right) }.first ?? (left.id < right.id)
                }
                let query = Query(
                    where: filter.filter, sort: sort.map(\.sort), limit: Int.random(in: 1...15, using: &generator))
                let found = try await pages(query, of: users)
                #expect(found == expected, "seed \(generator.seed): \(query)")
                let count = try await users.count(where: filter.filter)
                #expect(count == expected.count, "seed \(generator.seed): \(filter.filter)")
            }
            let deleted = try UserFilter.random(using: &generator)
            let count = try await users.deleteAll(where: deleted.filter)
            let left = try await users.list()
            #expect(
                Set(left) == Set(saved.filter { !deleted.holds($0) }) && count == saved.count - left.count,
                "seed \(generator.seed): \(deleted.filter)")
        }
    }

    /// Returns the users of all pages of a query.
    private func pages(_ query: Query<User>, of users: some Repository<User>) async throws -> [User] {
        var (found, next): ([User], Query<User>) = ([], query)
        while true {
            let page = try await users.find(next)
            #expect(page.entities.count <= query.limit ?? .max)
            found += page.entities
            guard let cursor = page.next else { return found }
            next.cursor = cursor
        }
    }

    @Test("Without a query all users are found")
    func allUsers() async throws {
        let users = try UserRepository(MemoryDataStore())
        for id in ["b", "a", "c"] { try await users.save(User(id: UserID(id))) }
        let page = try await users.find(Query())
        #expect(page.entities.map(\.id.text) == ["a", "b", "c"] && page.next == nil)
        #expect(try await users.find(Query(limit: 0)).entities == [])
    }

    @Test("An absent filter does not restrict a query")
    func absentFilter() throws {
        let (none, filter): (Filter<User>?, Filter<User>?) = (nil, \.birthday == nil)
        #expect((none && none) == nil && (none && filter) == filter && (filter && none) == filter)
        #expect((filter && filter)?.term == .and([.not(.exists("birthday")), .not(.exists("birthday"))]))
    }

    @Test("A field that the mapping does not have is an error")
    func unknownField() async throws {
        let users = try UserRepository(MemoryDataStore())
        for query in [
            Query<User>(where: Filter(.exists("shoeSize"))),
            Query(sort: [Sort(field: "shoeSize", isDescending: false)]),
        ] {
            let error = await #expect(throws: RepositoryError.self) { try await users.find(query) }
            #expect(error?.code == .unexpected)
            #expect(error?.message.contains("shoeSize") == true && error?.message.contains("birthday") == true)
        }
    }

    @Test("A cursor of another sort is an error")
    func wrongCursor() async throws {
        let users = try UserRepository(MemoryDataStore())
        let cursor = Query<User>.Cursor(values: [.text("2000-01-01")], id: .me)
        await #expect(throws: RepositoryError.self) { try await users.find(Query(after: cursor)) }
    }

    @Test("A damaged user among the results is an error")
    func damagedUser() async throws {
        let store = MemoryDataStore()
        try await store.put(["birthday": .string("yesterday")], "users", "me")
        try await store.put(["birthday": .string("2011-08-01")], "users", "other")
        let users = try UserRepository(store)
        let error = await #expect(throws: RepositoryError.self) {
            try await users.find(Query(where: .exists(\.birthday)))
        }
        #expect(error?.code == .corrupted && error?.message.contains("users/me") == true)
        // A record that the index excludes is not decoded.
        #expect(try await users.find(Query(where: \.birthday == Birthday("2011-08-01"))).entities.count == 1)
    }
}
