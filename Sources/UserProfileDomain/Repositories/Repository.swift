/// A collection of stored entities of one type, independent of the kind of store.
///
/// ```swift
/// try await users.save(User(id: .me, birthday: birthday))
/// let user = try await users.find(.me)
/// ```
///
/// An implementation must provide four functions: ``find(_:)->Self.Entity?``, ``find(_:)->Page<Self.Entity>``,
/// ``update(_:_:)`` and ``deleteAll(where:)-((Self.Entity)->Bool)``. The other requirements have default
/// implementations, which a store can replace with faster ones.
///
/// Each function throws a ``RepositoryError`` if the store fails, and `CancellationError` if the task is cancelled. In
/// both cases nothing is changed. When a function that changes entities returns, the change is durable.
public protocol Repository<Entity>: Sendable {
    /// The type of the stored entities.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// Returns the entity with an id, or `nil` if it does not exist.
    func find(_ id: Entity.ID) async throws -> Entity?

    /// Returns the entities that a query selects, up to the limit of the query.
    ///
    /// - Parameter query: The condition, the order and the size of the page.
    /// - Returns: The entities, and the position of the next page.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    func find(_ query: Query<Entity>) async throws -> Page<Entity>

    /// Reads an entity, changes it and saves the result, all in one transaction.
    ///
    /// ```swift
    /// let seats = try await trips.update(id) { trip in
    ///     trip?.seats -= 1
    ///     return trip?.seats
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: The id of the entity.
    ///   - change: A closure that receives the saved entity, or `nil` if it does not exist, and modifies it. If the
    ///     closure sets the entity to `nil`, the entity is deleted. The closure may run more than once, so it must have
    ///     no other effect.
    /// - Returns: The result of `change`.
    /// - Throws: Any error of `change`, ``RepositoryError`` if the store fails, or `CancellationError` if the task is
    ///   cancelled. In each case nothing is changed.
    @discardableResult
    func update<Result: Sendable>(
        _ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Result
    ) async throws -> Result

    /// Deletes every entity that meets a condition, in one transaction.
    ///
    /// - Parameter condition: A closure that returns whether to delete an entity. It may be called more than once for
    ///   each entity.
    /// - Returns: The number of deleted entities.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is deleted.
    @discardableResult
    func deleteAll(where condition: @escaping @Sendable (Entity) -> Bool) async throws -> Int

    /// Returns the entities with the given ids, in the order of the ids. Ids without an entity are omitted.
    ///
    /// All entities come from one snapshot. The default implementation finds them one by one.
    func find(_ ids: [Entity.ID]) async throws -> [Entity]

    /// Saves an entity and replaces any existing entity with the same id.
    func save(_ entity: Entity) async throws

    /// Saves entities in one transaction. Each entity replaces an existing entity with the same id.
    ///
    /// The default implementation saves them one by one.
    func save(contentsOf entities: [Entity]) async throws

    /// Changes every entity that meets a filter, in one transaction.
    ///
    /// ```swift
    /// try await trips.updateAll(where: \.status == .open) { $0.status = .closed }
    /// ```
    ///
    /// The default implementation changes the entities one by one.
    ///
    /// - Parameters:
    ///   - filter: The condition that selects entities, or `nil` to change all entities.
    ///   - batchSize: The maximum number of entities that one transaction changes, or `nil` to change all entities in
    ///     one transaction. Other writers can write between batches. If a batch fails, the previous ones stay applied.
    ///   - change: A closure that modifies an entity, but not its id. It may run more than once for an entity.
    /// - Returns: The number of selected entities.
    /// - Throws: Any error of `change`, ``RepositoryError`` if the store fails, or `CancellationError` if the task is
    ///   cancelled.
    @discardableResult
    func updateAll(
        where filter: Filter<Entity>?, batchSize: Int?, _ change: @escaping @Sendable (inout Entity) throws -> Void
    ) async throws -> Int

    /// Deletes the entity with an id.
    ///
    /// - Returns: Whether the entity existed.
    @discardableResult
    func delete(_ id: Entity.ID) async throws -> Bool

    /// Deletes the entities with the given ids, in one transaction.
    ///
    /// - Returns: The number of deleted entities.
    @discardableResult
    func delete(_ ids: [Entity.ID]) async throws -> Int

    /// Deletes every entity, in one transaction.
    ///
    /// The repository of a local store also deletes entities that cannot be decoded. The default implementation decodes
    /// every entity, so it fails if an entity is invalid.
    ///
    /// - Returns: The number of deleted entities.
    @discardableResult
    func deleteAll() async throws -> Int

    /// Returns entities in the order of their ids. Integer ids are compared as numbers, and all other ids by
    /// their UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - id: The id after which to start, or `nil` to start at the first entity.
    ///   - limit: The maximum number of entities, or `nil` for no limit.
    /// - Returns: The entities.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity]

    /// Returns the number of entities that meet a condition.
    ///
    /// A local store reads only an index, and no entities, if the condition selects exactly the entities of an index
    /// range.
    ///
    /// - Parameter filter: The condition, or `nil` to count all entities.
    /// - Returns: The number of entities.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    func count(where filter: Filter<Entity>?) async throws -> Int

    /// Returns the number of entities for each value of a field, in the order of the values. The group of entities
    /// without a value comes first in ascending order and last in descending order.
    ///
    /// Programs usually call `min(of:where:)`, `max(of:where:)`, `sum(of:where:)` or `counts(by:where:)`, which use
    /// this function.
    ///
    /// A local store reads only an index, and no entities, if the index contains the field and answers the whole
    /// filter. If the index contains other fields before this field, the filter must compare each of them for equality.
    /// The default implementation runs three queries for each value, and throws an error if an entity has
    /// several values.
    ///
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - filter: The condition that selects entities, or `nil` to select all entities.
    ///   - isDescending: Whether the greatest value comes first. If `false`, the least value comes first.
    ///   - limit: The maximum number of groups, or `nil` for no limit.
    /// - Returns: The groups. An entity with several values is counted once for each value.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    func groups(
        by field: String, where filter: Filter<Entity>?, isDescending: Bool, limit: Int?
    ) async throws -> [FieldGroup]

    /// Deletes every entity that meets a filter, in one transaction.
    ///
    /// The default implementation finds the entities before it starts the transaction. If another writer changes an
    /// entity in between, the entity is deleted even if it no longer meets the filter.
    ///
    /// - Parameter filter: The condition that each deleted entity meets.
    /// - Returns: The number of deleted entities.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is deleted.
    @discardableResult
    func deleteAll(where filter: Filter<Entity>) async throws -> Int

    /// Combines the entities that a query selects, one at a time, into a single value.
    ///
    /// If the query has no sort, a local store does not load all entities into memory. The default implementation
    /// always loads them. All entities come from one snapshot, and an LMDB store cannot reuse deleted pages until this
    /// function returns.
    ///
    /// - Parameters:
    ///   - query: The condition and the order of the entities.
    ///   - initial: The value to start with.
    ///   - update: A closure that combines the next entity with the value.
    /// - Returns: The combined value.
    /// - Throws: Any error of `update`, ``RepositoryError`` if the read fails, or `CancellationError` if the task is
    ///   cancelled.
    func reduce<Value: Sendable>(
        _ query: Query<Entity>, into initial: Value, _ update: @Sendable (inout Value, Entity) throws -> Void
    ) async throws -> Value

    /// Runs a query and reports how the repository answered it.
    ///
    /// - Parameter query: The condition, the order and the size of the page.
    /// - Returns: The index that the query used, and the number of entities that it read.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    func explain(_ query: Query<Entity>) async throws -> QueryExplanation

    /// Returns a sequence of the states of an entity: first the current state, then the new state after each change. An
    /// element is `nil` while no entity with the id exists.
    func updates(of id: Entity.ID) -> Updates<Entity?>

    /// Returns a sequence of the results of a query: first the current page, then the new page after each change.
    func updates(matching query: Query<Entity>) -> Updates<Page<Entity>>
}

extension Repository {
    /// Finds entities by calling ``find(_:)->Self.Entity?`` for each id.
    public func find(_ ids: [Entity.ID]) async throws -> [Entity] {
        var entities: [Entity] = []
        for id in ids { if let entity = try await find(id) { entities.append(entity) } }
        return entities
    }

    /// Saves an entity by calling ``update(_:_:)`` and ignoring the old entity.
    public func save(_ entity: Entity) async throws { try await update(entity.id) { $0 = entity } }

    /// Saves entities by calling ``save(_:)`` for each. Implement it if your repository can save all of them at once.
    public func save(contentsOf entities: [Entity]) async throws { for entity in entities { try await save(entity) } }

    /// Finds the entities that meet a filter, and changes them by calling ``update(_:_:)`` for each.
    @discardableResult
    public func updateAll(
        where filter: Filter<Entity>?, batchSize: Int?, _ change: @escaping @Sendable (inout Entity) throws -> Void
    ) async throws -> Int {
        let entities = try await find(Query(where: filter)).entities
        for entity in entities {
            try await update(entity.id) { updated in
                guard var entity = updated else { return }
                try change(&entity)
                updated = entity
            }
        }
        return entities.count
    }

    /// Deletes the entity with an id by calling ``deleteAll(where:)-((Self.Entity)->Bool)``.
    @discardableResult
    public func delete(_ id: Entity.ID) async throws -> Bool { try await deleteAll { $0.id == id } > 0 }

    /// Deletes entities by calling ``deleteAll(where:)-((Self.Entity)->Bool)``.
    @discardableResult
    public func delete(_ ids: [Entity.ID]) async throws -> Int {
        let ids = Set(ids)
        return try await deleteAll { ids.contains($0.id) }
    }

    /// Deletes every entity by calling ``deleteAll(where:)-((Self.Entity)->Bool)`` with a condition that is always
    /// true.
    @discardableResult
    public func deleteAll() async throws -> Int { try await deleteAll { _ in true } }

    /// Returns entities in the order of their ids by running a query without a condition.
    public func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity] {
        let cursor = id.map { Query<Entity>.Cursor(values: [], id: $0) }
        return try await find(Query(limit: limit, after: cursor)).entities
    }

    /// Counts the entities that meet a condition by calling ``reduce(_:into:_:)``.
    public func count(where filter: Filter<Entity>?) async throws -> Int {
        try await reduce(Query(where: filter), into: 0) { count, _ in count += 1 }
    }

    /// Deletes every entity that meets a filter. This default implementation first finds the ids of the entities, and
    /// then deletes the entities with these ids in one transaction.
    @discardableResult
    public func deleteAll(where filter: Filter<Entity>) async throws -> Int {
        try await delete(find(Query(where: filter)).entities.map(\.id))
    }

    /// Combines the entities that a query selects. This default implementation loads all of them into memory.
    public func reduce<Value: Sendable>(
        _ query: Query<Entity>, into initial: Value, _ update: @Sendable (inout Value, Entity) throws -> Void
    ) async throws -> Value {
        try await find(query).entities.reduce(into: initial) { try update(&$0, $1) }
    }

    /// Runs a query and returns a report without an index, as if the query had read all entities. This default
    /// implementation cannot determine which index the store uses.
    public func explain(_ query: Query<Entity>) async throws -> QueryExplanation {
        QueryExplanation(entityCount: try await count(), foundCount: try await find(query).entities.count)
    }

    /// Returns a sequence with the current entity as its only element. This default implementation does not observe the
    /// store.
    public func updates(of id: Entity.ID) -> Updates<Entity?> { Updates(once: { try await find(id) }) }

    /// Returns a sequence with the current page as its only element. This default implementation does not observe the
    /// store.
    public func updates(matching query: Query<Entity>) -> Updates<Page<Entity>> {
        Updates(once: { try await find(query) })
    }
}

extension Updates {
    /// Creates a sequence with a single element. Each iterator calls `read` once to obtain it.
    init(once read: @escaping @Sendable () async throws -> Element) {
        self.init {
            var isOver = false
            return { () async throws(RepositoryError) -> Element? in
                defer { isOver = true }
                do {
                    return isOver ? nil : try await read()
                } catch {
                    throw RepositoryError(error)
                }
            }
        }
    }
}
