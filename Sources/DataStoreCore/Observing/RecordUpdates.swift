import Synchronization

/// An asynchronous sequence of the state of stored records: first the current state, then each new state after a
/// commit.
///
/// - The newest state always arrives, whichever process commits it. A slow consumer misses intermediate states, because
///   the sequence reads only when `next()` is called and buffers nothing.
/// - A state that equals the previous one is skipped.
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

    /// Creates an iterator whose first element is the current state.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// An iterator that waits for each new state.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let updates: RecordUpdates
        private let wakeUp = WakeUp()
        private var observation: ChangeObservation?
        private var isFinished = false
        /// Whether the iterator waits for a wake-up before it reads again.
        private var mustWait = false
        /// The store's generation at the last successful read. It is `nil` before the first successful read. An error
        /// resets it to `nil`, except the first error about damage after a successful read, which causes another read.
        private var lastGeneration: UInt64?
        private var lastState: State?
        private var failure: String?
        /// Whether the cause of the last failure may pass without a change to the store.
        private var isFailureTransient = false
        /// Whether a read has failed with `corrupted` or `notAStore` since the last successful read. If `false`, such
        /// an error is unconfirmed: the iterator does not throw it, but reads again.
        private var isDamageConfirmed = false

        init(_ updates: RecordUpdates) { self.updates = updates }

        /// Waits for the next state. The function is isolated to the given actor.
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
                    (lastGeneration, lastState) = (nil, nil)
                    let code = (error as? DataStoreError)?.code
                    isFailureTransient = [.full, .busy, .unavailable, .inputOutput].contains(code)
                    let description = "\(error)"
                    // Without an observation, nothing would wake this iterator.
                    guard failure != description || observation == nil else { continue }
                    failure = description
                    throw error
                }
            }
            isFinished = true
            observation = nil
            return nil
        }

        /// Waits for the next state. The function is isolated to the actor of the caller.
        public mutating func next() async throws -> State? { try await next(isolation: #isolation) }

        /// Reads the observed state. If ``mustWait`` is `true`, waits for a wake-up first.
        ///
        /// - Returns: The state, or `nil` if it has not changed since the previous read.
        private mutating func read(_ actor: isolated (any Actor)?) async throws -> State? {
            if observation == nil {
                // The iterator registers before the first read, so that each later commit wakes it.
                observation = try await updates.store.observe(updates.scope) { [wakeUp] in wakeUp.signal() }
            }
            if mustWait, await !wait() { throw CancellationError() }
            mustWait = true
            // The generation is queried before the read, so that the next call notices a commit between the two.
            let generation = try await updates.store.generation()
            guard generation != lastGeneration else { return nil }
            let state = try await updates.store.read(updates.read)
            lastGeneration = generation
            (failure, isFailureTransient, isDamageConfirmed) = (nil, false, false)
            if let lastState, updates.isSame(lastState, state) { return nil }
            lastState = state
            return state
        }

        /// Waits for a wake-up, or at most one second if the cause of the last failure may pass by itself.
        ///
        /// - Returns: Whether to read. `false` means that the task was cancelled.
        private func wait() async -> Bool {
            guard isFailureTransient else { return await wakeUp.wait() }
            let timer = Task { [wakeUp] in
                try await Task.sleep(for: .seconds(1))
                wakeUp.signal()
            }
            defer { timer.cancel() }
            return await wakeUp.wait()
        }
    }
}

/// A wake-up signal for one waiting task. Signals that arrive while the task does not wait are merged into one, which
/// ends the next wait immediately.
final class WakeUp: Sendable {
    private enum State {
        case idle
        case signaled
        case waiting(CheckedContinuation<Bool, Never>)
    }

    private let state = Mutex(State.idle)

    /// Resumes the waiting task, or lets its next wait return immediately.
    func signal() {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard case .waiting(let continuation) = state else {
                state = .signaled
                return nil
            }
            state = .idle
            return continuation
        }
        continuation?.resume(returning: true)
    }

    /// Waits for a signal.
    ///
    /// - Returns: Whether a signal arrived. `false` means that the task was cancelled.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSignaled = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard case .signaled = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .idle
                    return true
                }
                if let isSignaled { continuation.resume(returning: isSignaled) }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard case .waiting(let continuation) = state else { return nil }
                state = .idle
                return continuation
            }
            continuation?.resume(returning: false)
        }
    }
}
