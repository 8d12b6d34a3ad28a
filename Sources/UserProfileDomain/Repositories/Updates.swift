/// The answers to one question: the current one, then each new one after it was saved.
///
/// ```swift
/// for try await user in users.updates(of: .me) { show(user) }
/// ```
///
/// - Whoever saves — this program or another one — the newest answer always comes, and never an older one after it. Who
///   asks for the next answer late gets the newest and misses those in between.
/// - Answers that are equal to the one before are not repeated.
/// - The sequence ends when what everything is kept in is closed, and when the task is cancelled.
/// - Where it cannot be read, the ``RepositoryError`` is thrown, once as long as it stays the same. That is the end of
///   a `for` loop but not of the iterator: its next `next()` waits until something is changed or mended.
///
/// Each iterator looks on by itself, from its first `next()` until it is gone; otherwise it costs nothing.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
    /// Waits for the next answer; nil where there are no more.
    public typealias Next = () async throws(RepositoryError) -> Element?

    private let makeNext: @Sendable () -> Next

    /// Makes a sequence. Only repositories do.
    ///
    /// - Parameter makeNext: begins to look on, for one iterator.
    public init(_ makeNext: @escaping @Sendable () -> Next) { self.makeNext = makeNext }

    /// Makes an iterator, which begins with the current answer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: makeNext()) }

    /// Waits for one answer after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let step: Next

        /// Waits for the next answer.
        ///
        /// - Parameter actor: where it is waited.
        /// - Returns: the answer, or nil where there are no more.
        /// - Throws: ``RepositoryError`` where it cannot be read.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RepositoryError) -> Element? {
            try await step()
        }

        /// Waits for the next answer, where its caller is.
        ///
        /// - Returns: the answer, or nil where there are no more.
        /// - Throws: ``RepositoryError`` where it cannot be read.
        public mutating func next() async throws(RepositoryError) -> Element? { try await step() }
    }
}
