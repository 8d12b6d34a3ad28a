extension Repository {
    /// Returns the sum of a property for each group of entities. It reads every selected entity.
    ///
    /// ```swift
    /// let sales = try await orders.sums(of: \.price, by: \.status)  // e.g. [.open: 12.5, .paid: 99]
    /// ```
    ///
    /// - Parameters:
    ///   - number: The property to add. An entity in which it is `nil` adds nothing to the sum of its group.
    ///   - key: The property that determines the group of an entity.
    ///   - filter: The condition that selects entities, or `nil` to select all entities.
    /// - Returns: The sums by group.
    /// - Throws: ``RepositoryError`` if the read fails or a sum exceeds the range of an integer type, or
    ///   `CancellationError` if the task is cancelled.
    public func sums<Key: Hashable & Sendable, Number: Numeric & Sendable>(
        of number: @Sendable (Entity) -> Number?, by key: @Sendable (Entity) -> Key, where filter: Filter<Entity>? = nil
    ) async throws -> [Key: Number] {
        try await reduce(Query(where: filter), into: [:]) { sums, entity in
            try sums.add(number(entity), to: key(entity))
        }
    }

    /// Returns the entity with the greatest value of a property in each group of entities. It reads every selected
    /// entity, and keeps one of each group in memory.
    ///
    /// ```swift
    /// let visits = try await appointments.latest(per: \.patientID, by: \.startsAt)
    /// let last = visits[patient.id]
    /// ```
    ///
    /// - Parameters:
    ///   - key: The property that determines the group of an entity.
    ///   - value: The property to compare. An entity in which it is `nil` is ignored. Of several entities with the
    ///     greatest value, the one with the least id is returned.
    ///   - filter: The condition that selects entities, or `nil` to select all entities.
    /// - Returns: The entities by group.
    /// - Throws: ``RepositoryError`` if the read fails, or `CancellationError` if the task is cancelled.
    public func latest<Key: Hashable & Sendable, Value: Comparable & Sendable>(
        per key: @Sendable (Entity) -> Key, by value: @Sendable (Entity) -> Value?, where filter: Filter<Entity>? = nil
    ) async throws -> [Key: Entity] {
        try await reduce(Query(where: filter), into: [:]) { latest, entity in
            latest.keepGreatest(entity, in: key(entity), by: value)
        }
    }
}

// The same functions within a snapshot or a unit of work.
extension SnapshotRepository {
    /// Returns the sum of a property for each group of entities. See ``Repository/sums(of:by:where:)``.
    public func sums<Key: Hashable, Number: Numeric>(
        of number: (Entity) -> Number?, by key: (Entity) -> Key, where filter: Filter<Entity>? = nil
    ) throws -> [Key: Number] {
        try reduce(Query(where: filter), into: [:]) { sums, entity in try sums.add(number(entity), to: key(entity)) }
    }

    /// Returns the entity with the greatest value of a property in each group of entities. See
    /// ``Repository/latest(per:by:where:)``.
    public func latest<Key: Hashable, Value: Comparable>(
        per key: (Entity) -> Key, by value: (Entity) -> Value?, where filter: Filter<Entity>? = nil
    ) throws -> [Key: Entity] {
        try reduce(Query(where: filter), into: [:]) { latest, entity in
            latest.keepGreatest(entity, in: key(entity), by: value)
        }
    }
}

extension Dictionary {
    fileprivate mutating func add(_ number: Value?, to key: Key) throws(RepositoryError) where Value: Numeric {
        self[key] = try (self[key] ?? .zero).adding(number ?? .zero)
    }

    fileprivate mutating func keepGreatest<Order: Comparable>(_ new: Value, in key: Key, by order: (Value) -> Order?) {
        guard let newOrder = order(new) else { return }
        if let old = self[key], let oldOrder = order(old), newOrder <= oldOrder { return }
        self[key] = new
    }
}
