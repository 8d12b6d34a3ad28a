/// A collection of entities of one type, independent of how they are stored.
///
/// An implementation must provide four functions: ``find(_:)->Self.Entity?``, ``find(_:)->Page<Self.Entity>``,
/// ``update(_:_:)`` and ``deleteAll(where:)-((Self.Entity)->Bool)``. The other requirements have default
/// implementations on top of these. They are requirements, so that a store can override them with faster ones.
///
/// Each function throws a ``RepositoryError``, or `CancellationError` if its task was cancelled; then nothing was
/// changed. When a function that changes something returns, the change is durable.
public protocol Repository<Entity>: Sendable {
    /// The type of the entities.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// Returns the entity of an id, or `nil` if it does not exist.
    func find(_ id: Entity.ID) async throws -> Entity?

    /// Returns a page of the entities that a query selects.
    ///
    /// - Parameter query: The condition, the order and the size of the page.
    /// - Returns: The entities, and the position of the next page.
    /// - Throws: ``RepositoryError``.
    func find(_ query: Query<Entity>) async throws -> Page<Entity>

    /// Reads an entity, changes it and saves the result, all in one transaction.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - change: Receives the entity, or `nil` if it does not exist, and sets it to the entity to save, or to `nil`
    ///     to delete it. It may run more than once, so it must have no other effect.
    /// - Returns: Whether the entity existed before.
    /// - Throws: Also what `change` throws; then nothing is changed.
    @discardableResult
    func update(_ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Void) async throws -> Bool

    /// Deletes every entity that meets a condition, in one transaction.
    ///
    /// - Parameter condition: Whether to delete an entity. It may be called more than once for each.
    /// - Returns: The number of deleted entities.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    func deleteAll(where condition: @escaping @Sendable (Entity) -> Bool) async throws -> Int

    /// Saves an entity and replaces the one that had its id.
    func save(_ entity: Entity) async throws

    /// Deletes an entity.
    ///
    /// - Returns: Whether it existed.
    @discardableResult
    func delete(_ id: Entity.ID) async throws -> Bool

    /// Deletes every entity in one transaction, including entities that cannot be decoded. The default implementation
    /// decodes every entity, so it fails if one is invalid.
    ///
    /// - Returns: The number of deleted entities.
    @discardableResult
    func deleteAll() async throws -> Int

    /// Returns entities in the order of their ids, by unsigned bytes.
    ///
    /// - Parameters:
    ///   - id: The id to start after; `nil` starts at the first entity.
    ///   - limit: The maximum number of entities; `nil` for all.
    /// - Returns: The entities.
    /// - Throws: ``RepositoryError``.
    func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity]

    /// Returns the number of entities that meet a filter. A local store answers from an index alone if one selects
    /// exactly these entities.
    ///
    /// - Parameter filter: The condition, or `nil` for all entities.
    /// - Returns: The number.
    /// - Throws: ``RepositoryError``.
    func count(where filter: Filter<Entity>?) async throws -> Int

    /// Deletes every entity that meets a filter, in one transaction. The default implementation selects the entities
    /// before it deletes them, so it may delete one that no longer meets the filter.
    ///
    /// - Parameter filter: The condition.
    /// - Returns: The number of deleted entities.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    func deleteAll(where filter: Filter<Entity>) async throws -> Int

    /// Combines the entities that a query selects, one at a time. A query without a sort does not load all of them into
    /// memory.
    ///
    /// - Parameters:
    ///   - query: The condition and the order.
    ///   - initial: The value to start with.
    ///   - update: Adds an entity to the value. All entities are of one snapshot; an LMDB store cannot reuse pages
    ///     while it runs.
    /// - Returns: The combined value.
    /// - Throws: What `update` throws, or ``RepositoryError``.
    func reduce<Value: Sendable>(
        _ query: Query<Entity>, into initial: Value, _ update: @Sendable (inout Value, Entity) throws -> Void
    ) async throws -> Value

    /// Runs a query and returns how its answer is found.
    ///
    /// - Parameter query: The condition, the order and the size of the page.
    /// - Returns: The index that is used, and the number of entities that are read.
    /// - Throws: ``RepositoryError``.
    func explain(_ query: Query<Entity>) async throws -> QueryExplanation

    /// Returns the entity of an id, now and after each change; `nil` while it does not exist.
    func updates(of id: Entity.ID) -> Updates<Entity?>

    /// Returns the page that a query selects, now and after each change.
    func updates(matching query: Query<Entity>) -> Updates<Page<Entity>>
}

extension Repository {
    /// Returns all entities in the order of their ids.
    public func list() async throws -> [Entity] { try await list(after: nil, limit: nil) }

    /// Saves an entity by an update that ignores the old one.
    public func save(_ entity: Entity) async throws { try await update(entity.id) { $0 = entity } }

    /// Deletes every entity with an id.
    @discardableResult
    public func delete(_ id: Entity.ID) async throws -> Bool { try await deleteAll { $0.id == id } > 0 }

    /// Deletes every entity, by a condition that always holds.
    @discardableResult
    public func deleteAll() async throws -> Int { try await deleteAll { _ in true } }

    /// Returns the page of a query without condition and sort.
    public func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity] {
        let cursor = id.map { Query<Entity>.Cursor(values: [], id: $0) }
        return try await find(Query(limit: limit, after: cursor)).entities
    }

    /// Returns the number of entities.
    public func count() async throws -> Int { try await count(where: nil) }

    /// Counts the found entities.
    public func count(where filter: Filter<Entity>?) async throws -> Int {
        try await reduce(Query(where: filter), into: 0) { count, _ in count += 1 }
    }

    /// Finds the entities, and deletes those with their ids.
    @discardableResult
    public func deleteAll(where filter: Filter<Entity>) async throws -> Int {
        let ids = Set(try await find(Query(where: filter)).entities.map(\.id))
        return try await deleteAll { ids.contains($0.id) }
    }

    /// Combines the entities that a query selects, by one call of `find` that loads all of them.
    public func reduce<Value: Sendable>(
        _ query: Query<Entity>, into initial: Value, _ update: @Sendable (inout Value, Entity) throws -> Void
    ) async throws -> Value {
        try await find(query).entities.reduce(into: initial) { try update(&$0, $1) }
    }

    /// Returns a report that all entities are read, because only the repository knows whether an index is used.
    public func explain(_ query: Query<Entity>) async throws -> QueryExplanation {
        QueryExplanation(index: nil, entityCount: try await count(), foundCount: try await find(query).entities.count)
    }

    /// Returns the current entity, and no later changes.
    public func updates(of id: Entity.ID) -> Updates<Entity?> { Updates(once: { try await find(id) }) }

    /// Returns the current page, and no later changes.
    public func updates(matching query: Query<Entity>) -> Updates<Page<Entity>> {
        Updates(once: { try await find(query) })
    }
}

extension Updates {
    /// Creates a sequence of one state.
    fileprivate init(once read: @escaping @Sendable () async throws -> Element) {
        self.init {
            var isOver = false
            return { () async throws(RepositoryError) -> Element? in
                defer { isOver = true }
                do {
                    return isOver ? nil : try await read()
                } catch {
                    throw (error as? RepositoryError)
                        ?? RepositoryError(.unexpected, message: "\(error)", underlying: error)
                }
            }
        }
    }
}
