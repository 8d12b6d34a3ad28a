import UserProfileDomain

/// A repository in a dictionary, which fails when it is told to.
actor RepositoryDouble<Entity>: Repository
where Entity: Identifiable & Sendable, Entity.ID: Comparable & Sendable {
    private var entities: [Entity.ID: Entity] = [:]
    /// What was asked for, in that order.
    private(set) var queries: [Query<Entity>] = []
    private var failure: (any Error)?

    /// Fails from now on with an error; nil: no more.
    func fail(with error: (any Error)?) { failure = error }

    func find(_ id: Entity.ID) throws -> Entity? {
        try failIfTold()
        return entities[id]
    }

    func save(_ entity: Entity) throws {
        try failIfTold()
        entities[entity.id] = entity
    }

    func update(_ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Void) throws {
        try failIfTold()
        // `change` may run more than once; a use case that minds is wrong.
        var discarded = entities[id]
        try change(&discarded)
        var entity = entities[id]
        try change(&entity)
        entities[id] = entity
    }

    func delete(_ id: Entity.ID) throws -> Bool {
        try failIfTold()
        return entities.removeValue(forKey: id) != nil
    }

    func deleteAll() throws -> Int {
        try failIfTold()
        defer { entities = [:] }
        return entities.count
    }

    func deleteAll(where condition: @escaping @Sendable (Entity) -> Bool) throws -> Int {
        try failIfTold()
        let gone = entities.filter { condition($0.value) }
        for id in gone.keys { entities[id] = nil }
        return gone.count
    }

    func list(after id: Entity.ID?, limit: Int?) throws -> [Entity] {
        try failIfTold()
        let sorted = entities.sorted { $0.key < $1.key }.map(\.value)
        let rest = id.map { id in sorted.filter { $0.id > id } } ?? sorted
        return limit.map { Array(rest.prefix($0)) } ?? rest
    }

    /// All entities: which ones a query finds, and in which order, is not for a use case to know.
    func find(_ query: Query<Entity>) throws -> Page<Entity> {
        queries.append(query)
        return Page(entities: try list(after: nil, limit: nil), next: nil)
    }

    func explain(_ query: Query<Entity>) throws -> QueryExplanation {
        let count = try list(after: nil, limit: nil).count
        return QueryExplanation(index: nil, entityCount: count, foundCount: count)
    }

    func count() throws -> Int { try list(after: nil, limit: nil).count }

    nonisolated func forEach(_ query: Query<Entity>, _ body: (Entity) throws -> Void) async throws {
        for entity in try await find(query).entities { try body(entity) }
    }

    /// The present state and no other: who tells of changes is no business of a use case.
    nonisolated func updates(of id: Entity.ID) -> Updates<Entity?> {
        once { repository in try await repository.find(id) }
    }

    nonisolated func updates(matching query: Query<Entity>) -> Updates<Page<Entity>> {
        once { repository in try await repository.find(query) }
    }

    private nonisolated func once<Answer: Sendable>(
        _ answer: @escaping @Sendable (RepositoryDouble) async throws -> Answer
    ) -> Updates<Answer> {
        Updates {
            var isOver = false
            return { () async throws(RepositoryError) -> Answer? in
                defer { isOver = true }
                do {
                    return isOver ? nil : try await answer(self)
                } catch {
                    throw (error as? RepositoryError) ?? RepositoryError(.unexpected, message: "\(error)")
                }
            }
        }
    }

    private func failIfTold() throws {
        if let failure { throw failure }
    }
}
