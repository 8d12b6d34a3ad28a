extension Repository {
    /// Returns all entities in the order of their ids.
    public func list() async throws -> [Entity] { try await list(after: nil, limit: nil) }

    /// Returns the number of all entities.
    public func count() async throws -> Int { try await count(where: nil) }

    /// Returns the first entity that meets a filter, or `nil` if no entity does.
    ///
    /// ```swift
    /// let oldest = try await storage.users.first(where: .exists(\.birthday), sort: [.ascending(\.birthday)])
    /// ```
    ///
    /// - Parameters:
    ///   - filter: The condition that the entity meets, or `nil` to select all entities.
    ///   - sort: The fields by which the entities are sorted. Without a field, the first entity has the least id.
    /// - Returns: The first entity.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    public func first(where filter: Filter<Entity>? = nil, sort: [Sort<Entity>] = []) async throws -> Entity? {
        try await find(Query(where: filter, sort: sort, limit: 1)).entities.first
    }

    /// Returns whether an entity with an id exists.
    public func exists(_ id: Entity.ID) async throws -> Bool { try await find(id) != nil }

    /// Returns whether an entity meets a filter.
    public func exists(where filter: Filter<Entity>) async throws -> Bool { try await first(where: filter) != nil }

    /// Saves a new entity.
    ///
    /// - Parameter entity: The entity to save.
    /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` if an entity with the same id
    ///   exists, or with another code if the store fails. `CancellationError` if the task is cancelled. In each case
    ///   nothing is changed.
    public func insert(_ entity: Entity) async throws {
        try await update(entity.id) { existing in try existing.insert(entity) }
    }

    /// Saves an entity unless an entity with the same id exists. Use it to claim an id: only one of several callers
    /// gets `true`.
    ///
    /// ```swift
    /// guard try await sessions.insertIfAbsent(session) else { throw SessionError.duplicate }
    /// ```
    ///
    /// - Parameter entity: The entity to save.
    /// - Returns: Whether the entity was saved.
    /// - Throws: ``RepositoryError`` if the store fails, or `CancellationError` if the task is cancelled. In both cases
    ///   nothing is changed.
    @discardableResult
    public func insertIfAbsent(_ entity: Entity) async throws -> Bool {
        try await update(entity.id) { existing in existing.insertIfAbsent(entity) }
    }

    /// Changes every entity that meets a filter, in one transaction. See ``updateAll(where:batchSize:_:)``.
    @discardableResult
    public func updateAll(
        where filter: Filter<Entity>? = nil, _ change: @escaping @Sendable (inout Entity) throws -> Void
    ) async throws -> Int {
        try await updateAll(where: filter, batchSize: nil, change)
    }
}

// The same functions within a snapshot or a unit of work.
extension SnapshotRepository {
    /// Returns all entities in the order of their ids.
    public func list() throws -> [Entity] { try list(after: nil, limit: nil) }

    /// Returns the number of all entities.
    public func count() throws -> Int { try count(where: nil) }

    /// Returns the first entity that meets a filter, or `nil` if no entity does. Without a sort, the first entity has
    /// the least id.
    public func first(where filter: Filter<Entity>? = nil, sort: [Sort<Entity>] = []) throws -> Entity? {
        try find(Query(where: filter, sort: sort, limit: 1)).entities.first
    }

    /// Returns whether an entity with an id exists.
    public func exists(_ id: Entity.ID) throws -> Bool { try find(id) != nil }

    /// Returns whether an entity meets a filter.
    public func exists(where filter: Filter<Entity>) throws -> Bool { try first(where: filter) != nil }
}

extension UnitOfWorkRepository {
    /// Saves a new entity. Throws ``RepositoryError`` with the code ``RepositoryError/Code/conflict`` if an entity with
    /// the same id exists.
    public func insert(_ entity: Entity) throws { try update(entity.id) { existing in try existing.insert(entity) } }

    /// Saves an entity unless an entity with the same id exists, and returns whether it was saved.
    @discardableResult
    public func insertIfAbsent(_ entity: Entity) throws -> Bool {
        try update(entity.id) { existing in existing.insertIfAbsent(entity) }
    }

    /// Changes every entity, and returns their number, e.g. `updateAll { $0.isRead = true }`.
    @discardableResult
    public func updateAll(_ change: (inout Entity) throws -> Void) throws -> Int { try updateAll(where: nil, change) }
}

extension Optional where Wrapped: Identifiable {
    fileprivate mutating func insert(_ entity: Wrapped) throws(RepositoryError) {
        guard insertIfAbsent(entity) else {
            throw RepositoryError(
                .conflict,
                message: "could not insert the \(Wrapped.self) \(entity.id): it already exists; choose another id")
        }
    }

    fileprivate mutating func insertIfAbsent(_ entity: Wrapped) -> Bool {
        guard self == nil else { return false }
        self = entity
        return true
    }
}

// The other end of a reference.
extension Repository where Entity: Queryable, Entity.ID: Hashable {
    /// Returns the entities that refer to another entity.
    ///
    /// ```swift
    /// let visits = try await appointments.related(\.patientID, to: patient)
    /// ```
    ///
    /// - Parameters:
    ///   - field: The property with the id of the other entity, or with an array of ids.
    ///   - other: The other entity.
    /// - Returns: The entities in the order of their ids. A reference has an index, so no other entity is read.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    public func related<ID: FieldContent>(
        _ field: Filter<Entity>.Field<ID>, to other: some Identifiable<ID>
    ) async throws -> [Entity] {
        try await find(Query(where: field == other.id)).entities
    }
}

extension SnapshotRepository where Entity: Queryable, Entity.ID: Hashable {
    /// Returns the entities that refer to another entity.
    public func related<ID: FieldContent>(
        _ field: Filter<Entity>.Field<ID>, to other: some Identifiable<ID>
    ) throws -> [Entity] {
        try find(Query(where: field == other.id)).entities
    }
}
