/// A repository that adds behavior to another one. A conforming type implements only the functions that it changes.
///
/// ```swift
/// struct Audited: RepositoryDecorator {
///     let base: any Repository<User>
///
///     func update<Result: Sendable>(
///         _ id: UserID, _ change: @escaping @Sendable (inout User?) throws -> Result
///     ) async throws -> Result {
///         print("changes a user")
///         return try await base.update(id, change)
///     }
/// }
/// ```
///
/// Reads, aggregates, ``Repository/explain(_:)`` and ``Repository/updates(matching:)`` go to ``base``, so they are as
/// fast as there. Each write goes through ``Repository/update(_:_:)`` or
/// ``Repository/deleteAll(where:)-((Self.Entity)->Bool)`` of the decorator, so it need not implement every write.
/// A write of several entities is then one transaction for each entity: implement e.g.
/// ``Repository/save(contentsOf:)`` if it must be one.
public protocol RepositoryDecorator<Entity>: Repository {
    /// The decorated repository.
    var base: any Repository<Entity> { get }
}

// The conformances of requirements. Without them, a decorator would use the slow defaults of `Repository`.
extension RepositoryDecorator {
    /// Calls the decorated repository.
    public func find(_ id: Entity.ID) async throws -> Entity? { try await base.find(id) }

    /// Calls the decorated repository.
    public func find(_ query: Query<Entity>) async throws -> Page<Entity> { try await base.find(query) }

    /// Calls the decorated repository.
    public func find(_ ids: [Entity.ID]) async throws -> [Entity] { try await base.find(ids) }

    /// Calls the decorated repository.
    @discardableResult
    public func update<Result: Sendable>(
        _ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Result
    ) async throws -> Result {
        try await base.update(id, change)
    }

    /// Calls the decorated repository.
    @discardableResult
    public func deleteAll(where condition: @escaping @Sendable (Entity) -> Bool) async throws -> Int {
        try await base.deleteAll(where: condition)
    }

    /// Calls the decorated repository.
    public func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity] {
        try await base.list(after: id, limit: limit)
    }

    /// Calls the decorated repository.
    public func count(where filter: Filter<Entity>?) async throws -> Int { try await base.count(where: filter) }

    /// Calls the decorated repository.
    public func groups(
        by field: String, where filter: Filter<Entity>?, isDescending: Bool, limit: Int?
    ) async throws -> [FieldGroup] {
        try await base.groups(by: field, where: filter, isDescending: isDescending, limit: limit)
    }

    /// Calls the decorated repository.
    public func reduce<Value: Sendable>(
        _ query: Query<Entity>, into initial: Value, _ update: @Sendable (inout Value, Entity) throws -> Void
    ) async throws -> Value {
        try await base.reduce(query, into: initial, update)
    }

    /// Calls the decorated repository.
    public func explain(_ query: Query<Entity>) async throws -> QueryExplanation { try await base.explain(query) }

    /// Calls the decorated repository.
    public func updates(of id: Entity.ID) -> Updates<Entity?> { base.updates(of: id) }

    /// Calls the decorated repository.
    public func updates(matching query: Query<Entity>) -> Updates<Page<Entity>> { base.updates(matching: query) }
}
