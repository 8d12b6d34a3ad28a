import DataStoreTesting
import DataTesting
import Testing
import UserProfileData
import UserProfileDomain

@Suite struct RepositoryConformanceTests {
    @Test(
        "A repository over a store fulfills the contract", arguments: StoreLocation.Kind.allCases,
        RepositoryConformance.all)
    func contract(_ kind: StoreLocation.Kind, _ requirement: RepositoryConformance) async throws {
        try await requirement.check { try UserRepository(StoreLocation(kind).open()) }
    }

    @Test(
        "A unit of work and its snapshots fulfill the contract of repositories", arguments: StoreLocation.Kind.allCases,
        RepositoryConformance.all)
    func unitOfWork(_ kind: StoreLocation.Kind, _ requirement: RepositoryConformance) async throws {
        try await requirement.check {
            UnitRepository(unit: try DataStoreUnitOfWork(store: StoreLocation(kind).open(), mappings: [UserMapping()]))
        }
    }
}

/// A repository that runs each function in a unit of work or a snapshot of its own.
private struct UnitRepository: Repository {
    let unit: DataStoreUnitOfWork

    private func perform<Result: Sendable>(
        _ body: @escaping @Sendable (any UnitOfWorkRepository<User>) throws -> Result
    ) async throws -> Result {
        try await unit.perform { try body($0.repository(of: User.self)) }
    }
    private func snapshot<Result: Sendable>(
        _ body: @Sendable (any SnapshotRepository<User>) throws -> Result
    ) async throws -> Result {
        try await unit.snapshot { try body($0.repository(of: User.self)) }
    }

    func find(_ id: UserID) async throws -> User? { try await snapshot { try $0.find(id) } }
    func find(_ ids: [UserID]) async throws -> [User] { try await snapshot { try $0.find(ids) } }
    func find(_ query: Query<User>) async throws -> Page<User> { try await snapshot { try $0.find(query) } }
    func list(after id: UserID?, limit: Int?) async throws -> [User] {
        try await snapshot { try $0.list(after: id, limit: limit) }
    }
    func count(where filter: Filter<User>?) async throws -> Int { try await snapshot { try $0.count(where: filter) } }
    func groups(
        by field: String, where filter: Filter<User>?, isDescending: Bool, limit: Int?
    ) async throws -> [FieldGroup] {
        try await snapshot { try $0.groups(by: field, where: filter, isDescending: isDescending, limit: limit) }
    }
    func reduce<Value: Sendable>(
        _ query: Query<User>, into initial: Value, _ update: @Sendable (inout Value, User) throws -> Void
    ) async throws -> Value {
        try await snapshot { try $0.reduce(query, into: initial, update) }
    }
    func update<Result: Sendable>(
        _ id: UserID, _ change: @escaping @Sendable (inout User?) throws -> Result
    ) async throws -> Result { try await perform { try $0.update(id, change) } }
    func updateAll(
        where filter: Filter<User>?, batchSize: Int?, _ change: @escaping @Sendable (inout User) throws -> Void
    ) async throws -> Int { try await perform { try $0.updateAll(where: filter, change) } }
    func save(_ user: User) async throws { try await perform { try $0.save(user) } }
    func save(contentsOf users: [User]) async throws { try await perform { try $0.save(contentsOf: users) } }
    func delete(_ id: UserID) async throws -> Bool { try await perform { try $0.delete(id) } }
    func delete(_ ids: [UserID]) async throws -> Int { try await perform { try $0.delete(ids) } }
    func deleteAll(where condition: @escaping @Sendable (User) -> Bool) async throws -> Int {
        try await perform { try $0.deleteAll(where: condition) }
    }
    func deleteAll(where filter: Filter<User>) async throws -> Int {
        try await perform { try $0.deleteAll(where: filter) }
    }
    func deleteAll() async throws -> Int { try await perform { try $0.deleteAll() } }
}
