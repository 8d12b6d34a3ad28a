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

    @Test("A decorator that implements nothing forwards each function, and uses no slow default")
    func forwarding() async throws {
        struct Plain: RepositoryDecorator {
            typealias Entity = User
            let base: any Repository<User>
        }
        let recorded = Recorded(base)
        let users: any Repository<User> = Plain(base: recorded)
        let id = try UserID("1")
        #expect(try await users.find(id) != nil && recorded.take() == ["find(_:)"])
        #expect(try await users.find(Query()).entities.count == 5 && recorded.take() == ["find(query)"])
        #expect(try await users.find([id]).count == 1 && recorded.take() == ["find(ids)"])
        #expect(try await users.list(after: id, limit: 2).count == 2 && recorded.take() == ["list(after:limit:)"])
        #expect(try await users.count() == 5 && recorded.take() == ["count(where:)"])
        #expect(try await users.distinct(\.mailAddress).count == 5)
        #expect(recorded.take() == ["groups(by:where:isDescending:limit:)"])
        #expect(try await users.reduce(Query(), into: 0) { count, _ in count += 1 } == 5)
        #expect(recorded.take() == ["reduce(_:into:_:)"])
        #expect(try await users.explain(Query()).foundCount == 5 && recorded.take() == ["explain(_:)"])
        _ = (users.updates(of: id), users.updates(matching: Query()))
        #expect(recorded.take() == ["updates(of:)", "updates(matching:)"])
        try await users.update(id) { $0?.birthday = nil }
        #expect(try await users.deleteAll { $0.id == id } == 1)
        #expect(recorded.take() == ["update(_:_:)", "deleteAll(where:)"])
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

/// A repository that records the functions that are called.
private final class Recorded: Repository {
    private let base: UserRepository
    private let calls = Mutex<[String]>([])

    init(_ base: UserRepository) { self.base = base }

    /// Returns the recorded functions, and forgets them.
    func take() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }

    private func record(_ name: String = #function) { calls.withLock { $0.append(name) } }

    func find(_ id: UserID) async throws -> User? {
        record()
        return try await base.find(id)
    }

    func find(_ query: Query<User>) async throws -> Page<User> {
        record("find(query)")
        return try await base.find(query)
    }

    func find(_ ids: [UserID]) async throws -> [User] {
        record("find(ids)")
        return try await base.find(ids)
    }

    func list(after id: UserID?, limit: Int?) async throws -> [User] {
        record()
        return try await base.list(after: id, limit: limit)
    }

    func count(where filter: Filter<User>?) async throws -> Int {
        record()
        return try await base.count(where: filter)
    }

    func groups(
        by field: String, where filter: Filter<User>?, isDescending: Bool, limit: Int?
    ) async throws -> [FieldGroup] {
        record()
        return try await base.groups(by: field, where: filter, isDescending: isDescending, limit: limit)
    }

    func reduce<Value: Sendable>(
        _ query: Query<User>, into initial: Value, _ update: @Sendable (inout Value, User) throws -> Void
    ) async throws -> Value {
        record()
        return try await base.reduce(query, into: initial, update)
    }

    func explain(_ query: Query<User>) async throws -> QueryExplanation {
        record()
        return try await base.explain(query)
    }

    func updates(of id: UserID) -> Updates<User?> {
        record()
        return base.updates(of: id)
    }

    func updates(matching query: Query<User>) -> Updates<Page<User>> {
        record()
        return base.updates(matching: query)
    }

    func update<Result: Sendable>(
        _ id: UserID, _ change: @escaping @Sendable (inout User?) throws -> Result
    ) async throws -> Result {
        record()
        return try await base.update(id, change)
    }

    func deleteAll(where condition: @escaping @Sendable (User) -> Bool) async throws -> Int {
        record()
        return try await base.deleteAll(where: condition)
    }
}
