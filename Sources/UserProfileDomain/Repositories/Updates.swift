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

    /// Creates an iterator whose first element is the current result.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: makeNext()) }

    /// An iterator that waits for each new result.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let step: Next

        /// Waits for the next result. The call runs on the given actor.
        ///
        /// - Parameter actor: The actor on which the call runs, or `nil` to run on no actor.
        /// - Returns: The next result, or `nil` at the end of the sequence.
        /// - Throws: ``RepositoryError`` if the read fails.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RepositoryError) -> Element? {
            try await step()
        }

        /// Waits for the next result. The call runs on the actor of the caller.
        ///
        /// - Returns: The next result, or `nil` at the end of the sequence.
        /// - Throws: ``RepositoryError`` if the read fails.
        public mutating func next() async throws(RepositoryError) -> Element? { try await step() }
    }
}
