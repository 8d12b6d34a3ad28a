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

    /// Runs a closure that reads entities of any type from one snapshot. It starts no write transaction, so it neither
    /// waits for writers nor makes them wait.
    ///
    /// ```swift
    /// let (users, cities) = try await unitOfWork.snapshot { snapshot in
    ///     (try snapshot.repository(of: User.self).count(), try snapshot.repository(of: Weather.self).count())
    /// }
    /// ```
    ///
    /// - Parameter body: A closure that reads entities. It may run more than once, and must not use its argument after
    ///   it returns. An LMDB store cannot reuse deleted pages until it returns.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, a ``RepositoryError`` if the store fails, or `CancellationError` if the task
    ///   is cancelled.
    func snapshot<Result: Sendable>(_ body: @Sendable (any SnapshotScope) throws -> Result) async throws -> Result

    /// Returns a sequence of the results of a closure: first its current result, then the new result after each change.
    ///
    /// ```swift
    /// let count = unitOfWork.updates { snapshot in
    ///     try snapshot.repository(of: User.self).count() + snapshot.repository(of: Weather.self).count()
    /// }
    /// ```
    ///
    /// The closure runs again after each change to entities of a type that it has read. A result that equals the
    /// previous one is skipped if the type of the result is `Equatable`.
    ///
    /// - Parameter body: A closure that reads entities from one snapshot. It runs on any thread, must have no other
    ///   effect, and must not use its argument after it returns.
    /// - Returns: The sequence. If the closure throws, the iterator throws a ``RepositoryError``.
    func updates<Result: Sendable>(_ body: @escaping @Sendable (any SnapshotScope) throws -> Result) -> Updates<Result>
}

extension UnitOfWork {
    /// Returns a sequence with the current result as its only element. This default implementation does not observe the
    /// store.
    public func updates<Result: Sendable>(
        _ body: @escaping @Sendable (any SnapshotScope) throws -> Result
    ) -> Updates<Result> {
        Updates(once: { try await snapshot(body) })
    }
}

/// The repositories within a ``UnitOfWork``.
///
/// ```swift
/// try await storage.unitOfWork.perform { work in
///     try work.repository(of: Note.self).delete(note.id)
///     try work.repository(of: User.self).save(user)
/// }
/// ```
///
/// Reads include the uncommitted changes of the unit of work, but not the changes that other writers make meanwhile.
public protocol UnitOfWorkScope {
    /// Returns the repository for a type of entities.
    ///
    /// - Parameter type: The type of the entities.
    /// - Returns: A repository, which is valid until the unit of work ends.
    /// - Throws: ``RepositoryError`` if the store was opened without this type.
    func repository<Entity>(of type: Entity.Type) throws -> any UnitOfWorkRepository<Entity>
}

/// A repository within a ``UnitOfWork``. It has the functions of ``Repository``, which here run in one transaction.
///
/// ```swift
/// try await storage.unitOfWork.perform { scope in
///     try scope.repository(of: Trip.self).update(id) { $0?.isPaid = true }
///     try scope.repository(of: Payment.self).save(payment)
/// }
/// ```
///
/// If one of the functions throws an error, the whole unit of work fails, even if the closure catches the error.
public protocol UnitOfWorkRepository<Entity>: SnapshotRepository {
    /// Reads an entity, changes it and saves the result.
    ///
    /// - Parameters:
    ///   - id: The id of the entity.
    ///   - change: A closure that receives the entity, or `nil` if it does not exist, and modifies it. If the closure
    ///     sets the entity to `nil`, the entity is deleted.
    /// - Returns: The result of `change`.
    /// - Throws: Any error of `change`, or ``RepositoryError`` if the store fails.
    @discardableResult
    func update<Result>(_ id: Entity.ID, _ change: (inout Entity?) throws -> Result) throws -> Result

    /// Changes every entity that meets a filter, or all entities if the filter is `nil`, and returns their number.
    @discardableResult
    func updateAll(where filter: Filter<Entity>?, _ change: (inout Entity) throws -> Void) throws -> Int

    /// Saves an entity and replaces any existing entity with the same id.
    func save(_ entity: Entity) throws

    /// Saves entities in the order of the array. Each entity replaces an existing entity with the same id.
    func save(contentsOf entities: [Entity]) throws

    /// Deletes the entity with an id, and returns whether it existed.
    @discardableResult
    func delete(_ id: Entity.ID) throws -> Bool

    /// Deletes the entities with the given ids, and returns the number of deleted entities.
    @discardableResult
    func delete(_ ids: [Entity.ID]) throws -> Int

    /// Deletes every entity that meets a condition, and returns the number of deleted entities.
    @discardableResult
    func deleteAll(where condition: (Entity) -> Bool) throws -> Int

    /// Deletes every entity that meets a filter, and returns the number of deleted entities.
    @discardableResult
    func deleteAll(where filter: Filter<Entity>) throws -> Int

    /// Deletes every entity, including entities that cannot be decoded, and returns their number.
    @discardableResult
    func deleteAll() throws -> Int
}

/// An asynchronous sequence of the results of a repeated read: the current result, then each new result after a commit.
///
/// ```swift
/// for try await user in users.updates(of: .me) { show(user) }
/// ```
///
/// - The consumer always receives the newest result, even after a commit by another process, and never an older result
///   after a newer one. A slow consumer may miss intermediate results.
/// - A result that equals the previous one is skipped.
/// - The sequence ends when the store is closed or the task is cancelled.
/// - If a read fails, the iterator throws a ``RepositoryError``, which ends a `for` loop but not the iterator. The next
///   call of `next()` waits until the store changes. If the next read fails with the same message, the call continues
///   to wait instead of throwing again.
///
/// Each iterator observes the store separately, from the first call of `next()` until the iterator is released. A
/// sequence without an iterator uses no resources.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable, HidesEntities {
    /// A function that waits for the next result and returns it, or returns `nil` at the end of the sequence.
    package typealias Next = () async throws(RepositoryError) -> Element?

    private let makeNext: @Sendable () -> Next

    /// Creates a sequence. Call this initializer only in an implementation of ``Repository``.
    ///
    /// - Parameter makeNext: A closure that starts to observe the store for one iterator. It returns a function. Each
    ///   call of this function waits for the next result and returns it, or returns `nil` at the end of the sequence.
    public init(
        _ makeNext: @escaping @Sendable () -> (() async throws(RepositoryError) -> Element?)
    ) { self.makeNext = makeNext }

    /// Returns a sequence of the results of a function of each result.
    package func mapped<Other: Sendable>(_ transform: @escaping @Sendable (Element) -> Other) -> Updates<Other> {
        Updates<Other> {
            let next = makeNext()
            return { () async throws(RepositoryError) -> Other? in try await next().map(transform) }
        }
    }

    /// Creates an iterator whose first element is the current result.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: makeNext()) }

    /// An iterator that waits for each new result. A loop creates it:
    ///
    /// ```swift
    /// for try await user in storage.users.updates(of: .me) { print(user ?? "deleted") }
    /// ```
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let step: Next

        /// Waits for the next result. The call runs on the given actor.
        ///
        /// - Parameter actor: The actor on which the call runs, or `nil` to run on no actor.
        /// - Returns: The next result, or `nil` at the end of the sequence.
        /// - Throws: ``RepositoryError`` if the read fails.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RepositoryError) -> Element? {
            try await step()
        }

        /// Waits for the next result. The call runs on the actor of the caller.
        ///
        /// - Returns: The next result, or `nil` at the end of the sequence.
        /// - Throws: ``RepositoryError`` if the read fails.
        public mutating func next() async throws(RepositoryError) -> Element? { try await step() }
    }
}

/// A type whose description and reflection consist of its name, because its properties contain entities.
///
/// Otherwise a program that logs an instance would log personal data.
package protocol HidesEntities: CustomStringConvertible, CustomReflectable {}

extension HidesEntities {
    /// The name of the type, without data.
    public var description: String { "\(Self.self)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
