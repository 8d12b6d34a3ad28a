/// Changes of several repositories that belong together: all of them happen, or none.
///
/// ```swift
/// try await unitOfWork.perform { work in
///     try work.repository(of: User.self).delete(.me)
///     try work.repository(of: Weather.self).save(weather)
/// }
/// ```
public protocol UnitOfWork: Sendable {
    /// Runs a closure that changes entities of any kind, and makes all changes durable at once before it returns.
    ///
    /// - Parameter work: reads and changes what it needs. It may run more than once, and only the last run counts, so
    ///   it must have no other effect than its changes; nor can it use what it is given after it returned.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure threw, as it is; ``RepositoryError``, also where the closure passed over the failure
    ///   of a step; `CancellationError`. After each of them nothing is changed.
    func perform<Result: Sendable>(
        _ work: @escaping @Sendable (any UnitOfWorkScope) throws -> Result
    ) async throws -> Result
}

/// The repositories as one unit of work sees them: with what it has changed so far, and nothing that others change
/// meanwhile.
public protocol UnitOfWorkScope {
    /// The entities of a kind.
    ///
    /// - Parameter type: the kind.
    /// - Returns: what reads and changes them, until the unit of work is over.
    /// - Throws: ``RepositoryError`` where such entities are not kept there.
    func repository<Entity>(of type: Entity.Type) throws -> any UnitOfWorkRepository<Entity>
}

/// A repository within a unit of work. Each function fails with a ``RepositoryError``; then the whole unit does.
public protocol UnitOfWorkRepository<Entity> {
    /// What is kept.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// The entity of an id, or nil where there is none.
    func find(_ id: Entity.ID) throws -> Entity?

    /// A page of the entities that a query asks for, with what the unit of work has changed so far.
    func find(_ query: Query<Entity>) throws -> Page<Entity>

    /// Keeps an entity, in place of the one that had its id.
    func save(_ entity: Entity) throws

    /// Keeps entities one after the other, each in place of the one that had its id.
    func save(contentsOf entities: [Entity]) throws

    /// Deletes an entity.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func delete(_ id: Entity.ID) throws -> Bool
}

extension UnitOfWorkRepository {
    /// Keeps entities one after the other.
    public func save(contentsOf entities: [Entity]) throws { for entity in entities { try save(entity) } }
}
