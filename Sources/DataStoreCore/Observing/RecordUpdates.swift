import Synchronization

/// An asynchronous sequence of the state of stored records: first the current state, then each new state after a
/// commit.
///
/// ```swift
/// for try await record in store.updates(of: key) {
///     print(record ?? [:])        // now, and after each commit that changes it
/// }
/// ```
///
/// - The newest state always arrives, whichever process commits it. A slow consumer misses intermediate states, because
///   the sequence reads only when `next()` is called and buffers nothing.
/// - A state that equals the previous one is skipped.
/// - The expiry of a record is a change, too.
/// - The sequence reads on the global executor, so that an observer never blocks the main actor.
/// - The sequence ends when the store closes or the task is cancelled.
/// - If a read fails, `next()` throws the error. The following call waits until the store changes. If the next read
///   fails with the same message, the call continues to wait instead of throwing again. The errors `corrupted` and
///   `notAStore` are thrown only if they persist for 50 milliseconds, because another program may be writing the file.
///   After the errors `full`, `busy`, `unavailable` and `inputOutput`, the call also reads again each second, because
///   their cause may pass without a change to the store.
///
/// Each iterator observes the store from the first call of `next()` until the iterator is released.
public struct RecordUpdates<State: Sendable>: AsyncSequence, Sendable, HidesRecords {
    fileprivate let store: any DataStore

    /// The records that every state depends on. A change to any other record need not cause another read.
    fileprivate let scopes: Set<ChangeScope>

    /// A closure that reads a state. It receives the previous state, or `nil`. It may run at any time and must have no
    /// other effect.
    private let read: @Sendable (_ previous: State?, borrowing ReadTransaction) throws -> State

    /// A closure that returns whether a state equals the previous one. Equal states are skipped.
    private let isSame: @Sendable (State, State) -> Bool

    /// A closure that returns whether changes of records may change a state. By default, they always do.
    package var isAffected: @Sendable (State, ChangedKeys, borrowing ReadTransaction) -> Bool = { _, _, _ in true }

    /// A closure that returns further records that a state depends on, or `nil` if ``scopes`` has all of them.
    package var dependencies: (@Sendable (State) -> Set<ChangeScope>)?

    /// A closure that returns the time until a state changes without a change to the store, because a record expires,
    /// or `nil` if it does not.
    package var timeLeft: (@Sendable (State) -> Duration?)?

    /// Creates a sequence of the results of a repeated read of the records in the given scopes.
    package init(
        _ store: any DataStore, _ scopes: Set<ChangeScope>, isSame: @escaping @Sendable (State, State) -> Bool,
        _ read: @escaping @Sendable (State?, borrowing ReadTransaction) throws -> State
    ) {
        self.store = store
        self.scopes = scopes
        self.isSame = isSame
        self.read = read
    }

    /// Creates an iterator whose first element is the current state.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// An iterator that waits for each new state. A loop creates it:
    ///
    /// ```swift
    /// for try await state in updates { print(state) }
    /// ```
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let updates: RecordUpdates
        private let wakeUp = WakeUp()
        private var observations: [ChangeScope: ChangeObservation] = [:]
        private var isFinished = false
        /// Whether the iterator waits for a wake-up before it reads again.
        private var mustWait = false
        /// The last successful read. It is `nil` before the first successful read. An error resets it to `nil`, except
        /// the first error about damage after a successful read, which causes another read.
        private var last: Reading?
        /// The keys that may have changed since the last successful read.
        private var changes = ChangedKeys()
        /// The error of the last read, or `nil` if it was successful.
        private var failure: (any Error)?
        /// Whether a read has failed with `corrupted` or `notAStore` since the last successful read. If `false`, such
        /// an error is unconfirmed: the iterator does not throw it, but reads again.
        private var isDamageConfirmed = false

        init(_ updates: RecordUpdates) { self.updates = updates }

        /// Waits for the next state. The function is isolated to the given actor, but reads on no actor.
        ///
        /// - Returns: The next state, or `nil` if the store was closed or the task was cancelled.
        /// - Throws: The error of the read.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> State? {
            while !isFinished, !Task.isCancelled {
                do {
                    if let state = try await read(actor) { return state }
                } catch let error as DataStoreError where error.code == .closed {
                    break
                } catch is CancellationError {
                    break
                } catch let error as DataStoreError
                    where [.corrupted, .notAStore].contains(error.code) && !isDamageConfirmed
                {
                    isDamageConfirmed = true
                    mustWait = false
                    // If the task is cancelled, the loop ends.
                    do { try await Task.sleep(for: .milliseconds(50)) } catch {}
                } catch {
                    last = nil
                    let isKnown = failure.map { "\($0)" == "\(error)" } ?? false
                    failure = error
                    if !isKnown { throw error }
                }
            }
            isFinished = true
            observations = [:]
            return nil
        }

        /// Waits for the next state. The function is isolated to the actor of the caller.
        public mutating func next() async throws -> State? { try await next(isolation: #isolation) }

        /// Reads the observed state. If ``mustWait`` is `true`, waits for a wake-up first.
        ///
        /// - Returns: The state, or `nil` if it has not changed since the previous read.
        private mutating func read(_ actor: isolated (any Actor)?) async throws -> State? {
            if mustWait, await !wait() { throw CancellationError() }
            mustWait = true
            // The iterator registers before the read, so that each later commit wakes it.
            try await observe(updates.scopes)
            changes.formUnion(wakeUp.takeChanges())
            let reading = try await updates.reading(after: last, changes)
            (failure, isDamageConfirmed) = (nil, false)
            changes = ChangedKeys()
            guard let reading else { return nil }
            if let dependencies = updates.dependencies?(reading.state),
                !dependencies.isSubset(of: observations.keys)
            {
                try await observe(dependencies)
                // The state is read again, because a commit before the registration did not wake the iterator.
                mustWait = false
                changes = .everything
                return nil
            }
            last = reading
            return reading.isNew ? reading.state : nil
        }

        private mutating func observe(_ scopes: Set<ChangeScope>) async throws {
            for scope in scopes where observations[scope] == nil {
                observations[scope] = try await updates.store.observe(scope) { [wakeUp] in wakeUp.signal($0) }
            }
        }

        /// Waits for a wake-up, or until the state changes by itself, or at most one second if the cause of the last
        /// failure may pass by itself.
        ///
        /// - Returns: Whether to read. `false` means that the task was cancelled.
        private func wait() async -> Bool {
            // Without an observation, nothing would wake the iterator after a failure.
            let isRetrying =
                failure.map { ($0 as? DataStoreError)?.isTransient == true || observations.isEmpty } ?? false
            guard isRetrying || last.flatMap(updates.timeLeft(of:)) != nil else { return await wakeUp.wait() }
            let timer = Task { [wakeUp, updates, last] in
                if isRetrying { try await Task.sleep(for: .seconds(1)) }
                // The clock of the records may be set, so the time left is read again each second.
                while let left = last.flatMap(updates.timeLeft(of:)), left > .zero {
                    try await Task.sleep(for: Swift.min(Swift.max(left, .milliseconds(1)), .seconds(1)))
                }
                wakeUp.signal(ChangedKeys())
            }
            defer { timer.cancel() }
            return await wakeUp.wait()
        }
    }

    /// A state that an iterator has read, whether it differs from the previous one, and the generation of the store
    /// before the read, or `nil` if it is unknown.
    fileprivate typealias Reading = (generation: UInt64?, state: State, isNew: Bool)

    /// Returns the time until a state changes by itself, or `nil` if it does not.
    private func timeLeft(of reading: Reading) -> Duration? { timeLeft?(reading.state) }

    /// Reads the state again, on no actor.
    ///
    /// If the changed keys are known, one read transaction determines whether they affect the state and reads it.
    ///
    /// - Returns: The reading, or `nil` if the state cannot have changed since the last reading.
    @concurrent
    private func reading(after last: Reading?, _ changes: ChangedKeys) async throws -> Reading? {
        let isOver = last.flatMap(timeLeft(of:)).map { $0 <= .zero } ?? false
        let isChangeKnown = last != nil && !changes.isEverything
        // The generation is queried before the read, so that the next call notices a commit between the two.
        let generation = isChangeKnown ? nil : try await store.generation()
        if let generation, generation == last?.generation, !isOver { return nil }
        return try await store.read { transaction in
            if isChangeKnown, !isOver, let last, !isAffected(last.state, changes, transaction) { return nil }
            let state = try read(last?.state, transaction)
            let isNew = last.map { !isSame($0.state, state) } ?? true
            return (generation, state, isNew)
        }
    }
}

extension DataStoreError {
    /// Whether the cause of the error may pass without a change to the store, so that an observer reads again each
    /// second.
    package var isTransient: Bool { [.full, .busy, .unavailable, .inputOutput].contains(code) }
}
