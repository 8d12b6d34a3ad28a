/// An asynchronous sequence of the answers of a repository: the current one, then each new one after a commit.
///
/// ```swift
/// for try await user in users.updates(of: .me) { show(user) }
/// ```
///
/// - The newest answer always arrives, whether this program or another one saves it, and no older answer follows it. A
///   slow consumer receives the newest answer and misses intermediate ones.
/// - Answers that are equal to the previous one are skipped.
/// - The sequence ends when the store is closed or the task is cancelled.
/// - If a read fails, the iterator throws the ``RepositoryError`` once for as long as it stays the same. The error ends
///   a `for` loop but not the iterator: the next call of `next()` waits until the store is changed or repaired.
///
/// Each iterator observes the store by itself, from its first `next()` until it is released. An unused sequence costs
/// nothing.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
    /// A function that waits for the next answer, and returns `nil` at the end of the sequence.
    package typealias Next = () async throws(RepositoryError) -> Element?

    private let makeNext: @Sendable () -> Next

    /// Creates a sequence. Call it only in a repository.
    ///
    /// - Parameter makeNext: Returns a function that observes the store for one iterator: it waits for the next answer,
    ///   and returns `nil` at the end of the sequence.
    public init(
        _ makeNext: @escaping @Sendable () -> (() async throws(RepositoryError) -> Element?)
    ) { self.makeNext = makeNext }

    /// Creates an iterator that begins with the current answer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: makeNext()) }

    /// An iterator that waits for each new answer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let step: Next

        /// Waits for the next answer on an actor.
        ///
        /// - Parameter actor: The actor on which the call runs.
        /// - Returns: The answer, or `nil` at the end of the sequence.
        /// - Throws: ``RepositoryError`` if the read fails.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RepositoryError) -> Element? {
            try await step()
        }

        /// Waits for the next answer on the actor of the caller.
        ///
        /// - Returns: The answer, or `nil` at the end of the sequence.
        /// - Throws: ``RepositoryError`` if the read fails.
        public mutating func next() async throws(RepositoryError) -> Element? { try await step() }
    }
}
