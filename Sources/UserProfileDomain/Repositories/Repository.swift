/// Where entities of one kind are kept. The domain knows no more of storage than this.
///
/// Each function fails with a ``RepositoryError``, or with `CancellationError` where its task was cancelled; then nothing
/// was changed. What a save returned from is durable.
public protocol Repository<Entity>: Sendable {
    /// What is kept.
    associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable

    /// The entity of an id, or nil where there is none.
    func find(_ id: Entity.ID) async throws -> Entity?

    /// Keeps an entity, in place of the one that had its id.
    func save(_ entity: Entity) async throws

    /// Reads an entity, changes it and keeps the result, all at once: no other change comes in between.
    ///
    /// - Parameters:
    ///   - id: which entity.
    ///   - change: is given the entity, or nil where there is none, and leaves what is to be kept, or nil to delete
    ///     it. It may run more than once, so it must have no other effect.
    /// - Throws: also what `change` threw, as it is; then nothing is changed.
    func update(_ id: Entity.ID, _ change: @escaping @Sendable (inout Entity?) throws -> Void) async throws

    /// Deletes an entity.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func delete(_ id: Entity.ID) async throws -> Bool

    /// Deletes every entity, all or none.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func deleteAll() async throws -> Int

    /// Deletes every entity that meets a condition, all or none of them.
    ///
    /// - Parameter condition: whether an entity is to go. It may be asked more than once.
    /// - Returns: how many there were.
    /// - Throws: ``RepositoryError`` or `CancellationError`; then nothing is changed.
    @discardableResult
    func deleteAll(where condition: @escaping @Sendable (Entity) -> Bool) async throws -> Int

    /// Entities in the order of their ids, by unsigned bytes.
    ///
    /// - Parameters:
    ///   - id: the listing begins after this one; nil: at the first.
    ///   - limit: how many at most; nil for all.
    /// - Returns: the entities.
    /// - Throws: ``RepositoryError``.
    func list(after id: Entity.ID?, limit: Int?) async throws -> [Entity]

    /// A page of the entities that a query asks for. It may have to look at all that are kept: ``explain(_:)`` says whether.
    ///
    /// - Parameter query: which entities, in which order, and how many.
    /// - Returns: the entities, and where the next page begins.
    /// - Throws: ``RepositoryError``.
    func find(_ query: Query<Entity>) async throws -> Page<Entity>

    /// Looks for the entities that a query asks for, and says how they were found.
    ///
    /// - Parameter query: which entities, in which order, and how many.
    /// - Returns: which index was used, and how much was looked at.
    /// - Throws: ``RepositoryError``.
    func explain(_ query: Query<Entity>) async throws -> QueryExplanation

    /// The entity of an id, now and after each change of it.
    ///
    /// - Parameter id: which entity.
    /// - Returns: the states, nil where there is none.
    func updates(of id: Entity.ID) -> Updates<Entity?>

    /// The page that a query finds, now and after each change of it. It is asked again when an entity of the kind was changed.
    ///
    /// - Parameter query: which entities, in which order, and how many.
    /// - Returns: the pages.
    func updates(matching query: Query<Entity>) -> Updates<Page<Entity>>

    /// How many entities there are.
    func count() async throws -> Int

    /// Shows the entities that a query asks for one after the other, without having all of them in memory where the query
    /// has no sort.
    ///
    /// - Parameters:
    ///   - query: which entities, and in which order.
    ///   - body: is shown an entity. What is kept is as it was at one moment; while it runs the store may grow faster.
    /// - Throws: what `body` threw, as it is, or ``RepositoryError``.
    func forEach(_ query: Query<Entity>, _ body: (Entity) throws -> Void) async throws
}

extension Repository {
    /// All entities in the order of their ids.
    public func list() async throws -> [Entity] { try await list(after: nil, limit: nil) }

    /// How many entities there are, which are all read for it.
    public func count() async throws -> Int { try await list().count }

    /// Shows the entities of one page.
    public func forEach(_ query: Query<Entity>, _ body: (Entity) throws -> Void) async throws {
        for entity in try await find(query).entities { try body(entity) }
    }
}
