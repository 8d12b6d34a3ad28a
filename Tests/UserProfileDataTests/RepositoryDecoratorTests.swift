import DataStoreCore
import Synchronization
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of a repository that adds behavior to another one.
@Suite struct RepositoryDecoratorTests {
    private let base: UserRepository
    private let audited: Audited

    init() async throws {
        base = try UserRepository(MemoryDataStore())
        audited = Audited(base: base)
        let users = try (0..<5).map { number in
            User(id: try UserID("\(number)"), mailAddress: try MailAddress("\(number)@example.com"))
        }
        try await base.save(contentsOf: users)
    }

    @Test("Reads, explanations and live updates are those of the decorated repository")
    func reads() async throws {
        let users: any Repository<User> = audited
        let query = Query<User>(where: \.mailAddress == (try MailAddress("1@example.com")), limit: 3)
        #expect(try await users.find(query).entities == base.find(query).entities)
        #expect(try await users.explain(query) == base.explain(query))
        #expect(try await users.explain(query).index != nil)
        #expect(try await users.count() == 5)
        #expect(try await users.distinct(\.mailAddress).count == 5)
        #expect(try await users.reduce(Query(), into: 0) { count, _ in count += 1 } == 5)
        var pages = users.updates(matching: Query()).makeAsyncIterator()
        var states = users.updates(of: .me).makeAsyncIterator()
        #expect(try await pages.next()?.entities.count == 5)
        #expect(try await states.next() == .some(nil))
        try await base.save(User(id: .me))
        #expect(try await pages.next()?.entities.count == 6)
        #expect(try await states.next() == User(id: .me))
        #expect(audited.count.number.load(ordering: .relaxed) == 0)
    }

    @Test("Each write goes through the decorator")
    func writes() async throws {
        let users: any Repository<User> = audited
        try await users.save(User(id: .me))
        try await users.save(contentsOf: [User(id: UserID("a")), User(id: UserID("b"))])
        try await users.insertIfAbsent(User(id: UserID("c")))
        #expect(try await users.updateAll { $0.birthday = nil } == 9)
        #expect(audited.count.number.load(ordering: .relaxed) == 13)
        #expect(try await users.deleteAll() == 9)
        #expect(try await base.count() == 0)
    }
}

private struct Audited: RepositoryDecorator {
    final class Count: Sendable { let number = Atomic(0) }

    let base: any Repository<User>
    let count = Count()

    @discardableResult
    func update<Result: Sendable>(
        _ id: UserID, _ change: @escaping @Sendable (inout User?) throws -> Result
    ) async throws -> Result {
        count.number.add(1, ordering: .relaxed)
        return try await base.update(id, change)
    }
}
