public import DataStoreCore
import DataStoreQueries
public import UserProfileDomain

/// Users over any data store: a ``DataStoreRepository`` that is compiled for them. (Generic code looks up its types each
/// time it runs, which is a third of a read.)
public struct UserRepository: Repository {
    private let repository: DataStoreRepository<UserMapping>

    /// Works on a store.
    ///
    /// - Parameters:
    ///   - store: where the records are kept.
    ///   - mapping: how users are kept as records.
    ///   - defaults: the values that reads by id return for what is not stored.
    public init(
        store: any DataStore, mapping: UserMapping = UserMapping(), defaults: RegisteredDefaults = .none
    ) {
        repository = DataStoreRepository(store: store, mapping: mapping, defaults: defaults)
    }

    /// The user of an id, or nil where there is none.
    public func find(_ id: UserID) async throws -> User? { try await repository.find(id) }

    /// Keeps a user, in place of the one that had its id.
    public func save(_ user: User) async throws { try await repository.save(user) }

    /// Reads a user, changes it and keeps the result in one transaction.
    public func update(_ id: UserID, _ change: @escaping @Sendable (inout User?) throws -> Void) async throws {
        try await repository.update(id, change)
    }

    /// Deletes a user.
    @discardableResult
    public func delete(_ id: UserID) async throws -> Bool { try await repository.delete(id) }

    /// Deletes every user, all or none.
    @discardableResult
    public func deleteAll() async throws -> Int { try await repository.deleteAll() }

    /// Deletes every user that meets a condition, all or none of them.
    @discardableResult
    public func deleteAll(where condition: @escaping @Sendable (User) -> Bool) async throws -> Int {
        try await repository.deleteAll(where: condition)
    }

    /// Users in the order of their ids.
    public func list(after id: UserID?, limit: Int?) async throws -> [User] {
        try await repository.list(after: id, limit: limit)
    }

    /// A page of the users that a query asks for.
    public func find(_ query: Query<User>) async throws -> Page<User> { try await repository.find(query) }

    /// Says how the users that a query asks for are found.
    public func explain(_ query: Query<User>) async throws -> QueryExplanation { try await repository.explain(query) }

    /// The user of an id, now and after each change.
    public func updates(of id: UserID) -> Updates<User?> { repository.updates(of: id) }

    /// The page of users that a query finds, now and after each change.
    public func updates(matching query: Query<User>) -> Updates<Page<User>> { repository.updates(matching: query) }

    /// How many users there are.
    public func count() async throws -> Int { try await repository.count() }

    /// Shows the users that a query asks for, of one snapshot.
    public func forEach(_ query: Query<User>, _ body: (User) throws -> Void) async throws {
        try await repository.forEach(query, body)
    }
}
