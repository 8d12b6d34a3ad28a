/// The answers of a store to one question: the current one, then each new one after its commit.
///
/// - Whoever changes the records — this store, another one of the process, another process — the newest answer always comes.
///   Who asks for the next answer late gets the newest and misses those in between: nothing piles up, and nothing is read
///   until it is asked for.
/// - Answers that are equal to the one before are not repeated.
/// - The sequence ends when the store is closed and when the task is cancelled.
/// - What reading throws is thrown, once as long as it stays the same (and what is damaged only where it still is after a moment:
///   somebody may write the file just now). It is not the end: the next call of `next()` waits until
///   the store is changed or mended, and answers with what is there then. A `for` loop ends with the error, so who wants to
///   go on calls `next()` of an iterator.
///
/// Each iterator observes the store by itself, from its first `next()` until it is gone. Until then, and when all are gone,
/// it costs nothing.
public struct RecordUpdates<State: Sendable>: AsyncSequence, Sendable {
    /// What a read answers.
    public typealias Element = State
    /// Reads may throw what their closure throws.
    public typealias Failure = any Error

    fileprivate let store: any DataStore
    fileprivate let scope: ChangeScope
    fileprivate let read: @Sendable (borrowing ReadTransaction) throws -> State
    fileprivate let isSame: @Sendable (State, State) -> Bool

    init(
        _ store: any DataStore, _ scope: ChangeScope,
        _ read: @escaping @Sendable (borrowing ReadTransaction) throws -> State,
        isSame: @escaping @Sendable (State, State) -> Bool
    ) {
        self.store = store
        self.scope = scope
        self.read = read
        self.isSame = isSame
    }

    /// Makes an iterator, which begins with the current answer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Waits for one answer after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let updates: RecordUpdates
        private let wakeUp = WakeUp()
        private var observation: ChangeObservation?
        private var isOver = false
        /// Whether there is nothing new before somebody calls.
        private var hasToWait = false
        /// The generation that was looked at last; nil where that failed.
        private var seen: UInt64?
        private var shown: State?
        private var failure: String?
        /// Whether damage was looked at again.
        private var isCertain = false

        init(_ updates: RecordUpdates) { self.updates = updates }

        /// Waits for the next answer.
        ///
        /// - Parameter actor: where it is waited.
        /// - Returns: the answer, or nil where the store was closed or the task cancelled.
        /// - Throws: what reading throws.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> State? {
            while !isOver, !Task.isCancelled {
                do {
                    if let state = try await look(actor) { return state }
                } catch let error as DataStoreError where error.code == .closed {
                    break
                } catch is CancellationError {
                    break
                } catch let error as DataStoreError where error.code == .corrupted && !isCertain {
                    isCertain = true
                    hasToWait = false
                    // Cancelled, it ends with the next step.
                    do { try await Task.sleep(for: .milliseconds(50)) } catch {}
                } catch {
                    (seen, shown) = (nil, nil)
                    let description = "\(error)"
                    // Without an observation nobody would call.
                    guard failure != description || observation == nil else { continue }
                    failure = description
                    throw error
                }
            }
            isOver = true
            observation = nil
            return nil
        }

        /// Waits for the next answer, where its caller is.
        ///
        /// - Returns: the answer, or nil where the store was closed or the task cancelled.
        /// - Throws: what reading throws.
        public mutating func next() async throws -> State? { try await next(isolation: #isolation) }

        /// Waits for a call, where there is nothing else to do, and looks.
        ///
        /// - Returns: the answer, or nil where it is none that is new.
        private mutating func look(_ actor: isolated (any Actor)?) async throws -> State? {
            if observation == nil {
                // Before the first read: what is committed after it calls.
                observation = try await updates.store.observe(updates.scope) { [wakeUp] in wakeUp.call() }
            }
            if hasToWait, await !wakeUp.wait() { throw CancellationError() }
            hasToWait = true
            // Asked for before reading: a commit in between is found the next time.
            let generation = try await updates.store.generation()
            guard generation != seen else { return nil }
            let state = try await updates.store.read(updates.read)
            seen = generation
            (failure, isCertain) = (nil, false)
            if let shown, updates.isSame(shown, state) { return nil }
            shown = state
            return state
        }
    }
}
