/// The repositories within a snapshot of all entities. Use it for a report over several types.
///
/// ```swift
/// let counts = try await storage.snapshot { snapshot in
///     (try snapshot.repository(of: Note.self).count(), try snapshot.repository(of: User.self).count())
/// }
/// ```
///
/// See ``UnitOfWork/snapshot(_:)``.
public protocol SnapshotScope {
    /// Returns the repository for a type of entities.
    ///
    /// - Parameter type: The type of the entities.
    /// - Returns: A repository, which is valid until the closure of the snapshot returns.
    /// - Throws: ``RepositoryError`` if the store was opened without this type.
    func repository<Entity>(of type: Entity.Type) throws -> any SnapshotRepository<Entity>
}

/// A repository that reads entities of one snapshot, or within a ``UnitOfWork``.
///
/// ```swift
/// let trips = try await storage.snapshot { try $0.repository(of: Trip.self).find(Query(limit: 10)) }
/// ```
public protocol SnapshotRepository<Entity> {
    /// The type of the stored entities.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// Returns the entity with an id, or `nil` if it does not exist. Registered defaults are ignored.
    func find(_ id: Entity.ID) throws -> Entity?

    /// Returns the entities with the given ids, in the order of the ids. Ids without an entity are omitted.
    func find(_ ids: [Entity.ID]) throws -> [Entity]

    /// Returns the entities that a query selects, up to the limit of the query.
    func find(_ query: Query<Entity>) throws -> Page<Entity>

    /// Returns entities in the order of their ids. See ``Repository/list(after:limit:)``.
    func list(after id: Entity.ID?, limit: Int?) throws -> [Entity]

    /// Returns the number of entities that meet a filter, or of all entities if the filter is `nil`.
    func count(where filter: Filter<Entity>?) throws -> Int

    /// Returns the number of entities for each value of a field. See
    /// ``Repository/groups(by:where:isDescending:limit:)``.
    func groups(by field: String, where filter: Filter<Entity>?, isDescending: Bool, limit: Int?) throws -> [FieldGroup]

    /// Combines the entities that a query selects, one at a time, into a single value.
    func reduce<Value>(
        _ query: Query<Entity>, into initial: Value, _ update: (inout Value, Entity) throws -> Void
    ) throws -> Value
}
