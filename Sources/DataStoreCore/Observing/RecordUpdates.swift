/// The current state of some records, and each new state after its commit.
///
/// - The newest state always arrives, whichever process commits it. A slow consumer misses intermediate states: nothing
///   is buffered, and nothing is read before `next()` is called.
/// - States that are equal to the previous one are skipped.
/// - The sequence ends when the store closes or the task is cancelled.
/// - An error of a read is thrown once for as long as it stays the same; `corrupted` only if it persists for a moment,
///   because another program may be writing the file. The next call of `next()` waits until the store changes.
///
/// Each iterator observes the store from its first `next()` until it is released.
public struct RecordUpdates<State: Sendable>: AsyncSequence, Sendable {
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

    /// Creates an iterator that begins with the current state.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// An iterator that waits for each new state.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let updates: RecordUpdates
        private let wakeUp = WakeUp()
        private var observation: ChangeObservation?
        private var isFinished = false
        /// Whether the iterator waits for a wake-up before it reads again.
        private var mustWait = false
        /// The generation of the last read; `nil` if it failed.
        private var lastGeneration: UInt64?
        private var lastState: State?
        private var failure: String?
        /// Whether the next read that finds a corrupted record reports it, because a previous one found the same.
        private var isCorruptionConfirmed = false

        init(_ updates: RecordUpdates) { self.updates = updates }

        /// Returns the next state when there is one, on the given actor.
        ///
        /// - Returns: The state, or `nil` if the store was closed or the task cancelled.
        /// - Throws: What the read throws.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> State? {
            while !isFinished, !Task.isCancelled {
                do {
                    if let state = try await read(actor) { return state }
                } catch let error as DataStoreError where error.code == .closed {
                    break
                } catch is CancellationError {
                    break
                } catch let error as DataStoreError where error.code == .corrupted && !isCorruptionConfirmed {
                    isCorruptionConfirmed = true
                    mustWait = false
                    // A cancelled task ends with the next step.
                    do { try await Task.sleep(for: .milliseconds(50)) } catch {}
                } catch {
                    (lastGeneration, lastState) = (nil, nil)
                    let description = "\(error)"
                    // Without an observation nothing would wake this iterator.
                    guard failure != description || observation == nil else { continue }
                    failure = description
                    throw error
                }
            }
            isFinished = true
            observation = nil
            return nil
        }

        /// Returns the next state when there is one, on the caller's actor.
        public mutating func next() async throws -> State? { try await next(isolation: #isolation) }

        /// Waits for a wake-up unless something may be new already, and reads.
        ///
        /// - Returns: The state, or `nil` if it is not new.
        private mutating func read(_ actor: isolated (any Actor)?) async throws -> State? {
            if observation == nil {
                // Registers before the first read, so that each later commit wakes this iterator.
                observation = try await updates.store.observe(updates.scope) { [wakeUp] in wakeUp.signal() }
            }
            if mustWait, await !wakeUp.wait() { throw CancellationError() }
            mustWait = true
            // Queried before the read, so that the next call notices a commit between the two.
            let generation = try await updates.store.generation()
            guard generation != lastGeneration else { return nil }
            let state = try await updates.store.read(updates.read)
            lastGeneration = generation
            (failure, isCorruptionConfirmed) = (nil, false)
            if let lastState, updates.isSame(lastState, state) { return nil }
            lastState = state
            return state
        }
    }
}
