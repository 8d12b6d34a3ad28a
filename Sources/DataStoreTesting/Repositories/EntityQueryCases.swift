import Testing

extension RepositoryConformance {
    static let entityQueryCases: [RepositoryConformance] = [
        .init(
            "random queries match a filter and a sort in memory", rounds: DataStoreConformance.count(3, full: 20)
        ) { users in
            var generator = SeededGenerator(printedFor: "repository queries")
            let count = Int.random(in: 0...40, using: &generator)
            let saved = try (0..<count).map { try User.random($0, using: &generator) }
            let usersByKey = Dictionary(uniqueKeysWithValues: saved.map { ($0.entry.key, $0) })
            func expected(_ condition: Condition, _ sort: [RecordQuery.SortKey] = []) -> [User] {
                QueryCase.result(of: RecordQuery("users", where: condition, sort: sort), from: saved.map(\.entry))
                    .compactMap { usersByKey[$0.key] }
            }
            try await users.save(contentsOf: saved)
            for number in 0..<50 {
                let term = FilterTerm.random(using: &generator)
                let filter = Filter<User>(term)
                let sort = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                    Sort<User>(field: generator.pick(FilterTerm.userFields), isDescending: .random(using: &generator))
                }
                let keys = sort.map { RecordQuery.SortKey.by(QueryField($0.field), isDescending: $0.isDescending) }
                let expected = expected(term.condition, keys)
                let query = Query(where: filter, sort: sort, limit: Int.random(in: 1...15, using: &generator))
                let context: Comment = "seed \(generator.seed): \(query)"
                #expect(try await pages(query, of: users) == expected, context)
                #expect(try await users.count(where: filter) == expected.count, context)
                // A repository over a network may need a request for each value of an aggregate.
                guard number.isMultiple(of: 10) else { continue }
                let birthdays = expected.compactMap(\.birthday)
                #expect(try await users.min(of: \.birthday, where: filter) == birthdays.min(), context)
                #expect(try await users.max(of: \.birthday, where: filter) == birthdays.max(), context)
                let counts = Dictionary(grouping: expected, by: \.birthday).mapValues(\.count)
                #expect(try await users.counts(by: \.birthday, where: filter) == counts, context)
            }
            let deleted = FilterTerm.random(using: &generator)
            let deletedCount = try await users.deleteAll(where: Filter(deleted))
            let left = try await users.list()
            #expect(left == expected(.not(deleted.condition)), "seed \(generator.seed): \(deleted)")
            #expect(deletedCount == saved.count - left.count, "seed \(generator.seed): \(deleted)")
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
        .init("a cursor of another sort is an error") { users in
            let cursor = Query<User>.Cursor(values: [.text("2000-01-01")], id: .me)
            await #expect(throws: RepositoryError.self) { try await users.find(Query(after: cursor)) }
        },
    ]

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
