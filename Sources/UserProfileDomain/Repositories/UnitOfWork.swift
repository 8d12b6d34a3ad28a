/// A transaction over several repositories: either all changes are applied, or none.
///
/// ```swift
/// try await unitOfWork.perform { work in
///     try work.repository(of: User.self).delete(.me)
///     try work.repository(of: Weather.self).save(weather)
/// }
/// ```
///
/// Use a unit of work if entities of several types must change together. To change a single entity, use a
/// ``Repository``.
public protocol UnitOfWork: Sendable {
    /// Runs a closure that changes entities of any type, and commits its changes. When this function returns, the
    /// changes are durable.
    ///
    /// - Parameter work: A closure that reads and changes entities. It may run more than once, and only the changes of
    ///   its last run are committed, so it must have no other effect. It must not use its argument after it returns.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, a ``RepositoryError`` if the store fails, or `CancellationError` if the task
    ///   is cancelled. In each case nothing is changed. A failed operation in the closure fails the unit of work, even
    ///   if the closure ignores the error.
    func perform<Result: Sendable>(
        _ work: @escaping @Sendable (any UnitOfWorkScope) throws -> Result
    ) async throws -> Result
}

/// The repositories within a ``UnitOfWork``. Reads include the uncommitted changes of the unit of work, but not the
/// changes that other writers make meanwhile.
public protocol UnitOfWorkScope {
    /// Returns the repository for a type of entities.
    ///
    /// - Parameter type: The type of the entities.
    /// - Returns: A repository, which is valid until the unit of work ends.
    /// - Throws: ``RepositoryError`` if the store was opened without this type.
    func repository<Entity>(of type: Entity.Type) throws -> any UnitOfWorkRepository<Entity>
}

/// A repository within a ``UnitOfWork``. If one of its functions throws a ``RepositoryError``, the whole unit of work
/// fails.
public protocol UnitOfWorkRepository<Entity> {
    /// The type of the stored entities.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// Returns the entity with an id, or `nil` if it does not exist.
    func find(_ id: Entity.ID) throws -> Entity?

    /// Returns the entities that a query selects, including uncommitted changes of this unit of work.
    func find(_ query: Query<Entity>) throws -> Page<Entity>

    /// Saves an entity and replaces any existing entity with the same id.
    func save(_ entity: Entity) throws

    /// Saves entities in the order of the array. Each entity replaces an existing entity with the same id.
    func save(contentsOf entities: [Entity]) throws

    /// Deletes the entity with an id.
    ///
    /// - Returns: Whether the entity existed.
    @discardableResult
    func delete(_ id: Entity.ID) throws -> Bool
}

extension UnitOfWorkRepository {
    /// Saves entities by calling `save` for each.
    public func save(contentsOf entities: [Entity]) throws { for entity in entities { try save(entity) } }
}
