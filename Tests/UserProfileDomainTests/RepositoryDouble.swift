import UserProfileDomain

/// A repository in a dictionary that fails on request. It finds all entities, whatever the condition of a query.
actor RepositoryDouble<Entity>: Repository
where Entity: Identifiable & Sendable, Entity.ID: Comparable & Sendable {
    private var entities: [Entity.ID: Entity] = [:]
    private(set) var queries: [Query<Entity>] = []
    private var failure: (any Error)?

    /// Sets the error that each function throws; `nil` for none.
    func fail(with error: (any Error)?) { failure = error }

    func find(_ id: Entity.ID) throws -> Entity? {
        if let failure { throw failure }
        return entities[id]
    }

    func find(_ query: Query<Entity>) throws -> Page<Entity> {
        if let failure { throw failure }
        queries.append(query)
        let sorted = entities.sorted { $0.key < $1.key }.map(\.value)
        let rest = sorted.filter { entity in query.cursor.map { entity.id > $0.id } ?? true }
        return Page(entities: Array(rest.prefix(query.limit ?? .max)), next: nil)
    }

    func update<Result: Sendable>(
        _ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Result
    ) throws -> Result {
        if let failure { throw failure }
        // `change` may run more than once, so a use case must not depend on how often it does.
        var discarded = entities[id]
        _ = try change(&discarded)
        return try change(&entities[id])
    }

    func deleteAll(where condition: @escaping @Sendable (Entity) -> Bool) throws -> Int {
        if let failure { throw failure }
        let deleted = entities.filter { condition($0.value) }
        for id in deleted.keys { entities[id] = nil }
        return deleted.count
    }
}
