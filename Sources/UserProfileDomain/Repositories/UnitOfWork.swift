/// Changes to several repositories in one transaction: either all of them are applied, or none.
///
/// ```swift
/// try await unitOfWork.perform { work in
///     try work.repository(of: User.self).delete(.me)
///     try work.repository(of: Weather.self).save(weather)
/// }
/// ```
///
/// Use it if entities of several types must change together. For a single entity, use a ``Repository``.
public protocol UnitOfWork: Sendable {
    /// Runs a closure that changes entities of any type, and commits its changes. When it returns, the changes are
    /// durable.
    ///
    /// - Parameter work: Reads and changes entities. It may run more than once, and only the changes of the last run
    ///   are committed, so it must have no other effect. It must not use its argument after it returns.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, unchanged; ``RepositoryError``, also if the closure ignored the failure of
    ///   an operation; `CancellationError`. In each case nothing is changed.
    func perform<Result: Sendable>(
        _ work: @escaping @Sendable (any UnitOfWorkScope) throws -> Result
    ) async throws -> Result
}

/// The repositories within a unit of work. They see the changes that it has made so far, and no changes that other
/// writers make meanwhile.
public protocol UnitOfWorkScope {
    /// Returns the repository of a type.
    ///
    /// - Parameter type: The type of the entities.
    /// - Returns: The repository, which is valid until the unit of work ends.
    /// - Throws: ``RepositoryError`` if the store has no entities of this type.
    func repository<Entity>(of type: Entity.Type) throws -> any UnitOfWorkRepository<Entity>
}

/// A repository within a unit of work. If a function throws a ``RepositoryError``, the whole unit of work fails.
public protocol UnitOfWorkRepository<Entity> {
    /// The type of the entities.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// Returns the entity of an id, or `nil` if it does not exist.
    func find(_ id: Entity.ID) throws -> Entity?

    /// Returns a page of the entities that a query selects, including the changes of this unit of work.
    func find(_ query: Query<Entity>) throws -> Page<Entity>

    /// Saves an entity and replaces the one that had its id.
    func save(_ entity: Entity) throws

    /// Saves entities in their order. Each one replaces the entity that had its id.
    func save(contentsOf entities: [Entity]) throws

    /// Deletes an entity.
    ///
    /// - Returns: Whether it existed.
    @discardableResult
    func delete(_ id: Entity.ID) throws -> Bool
}

extension UnitOfWorkRepository {
    /// Saves entities by one call of `save` for each.
    public func save(contentsOf entities: [Entity]) throws { for entity in entities { try save(entity) } }
}
