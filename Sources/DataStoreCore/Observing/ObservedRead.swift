import Synchronization

/// The read that a ``RecordUpdates`` sequence repeats.
package struct ObservedRead<State: Sendable>: Sendable {
    /// The records that every state depends on. A change to any other record need not cause another read.
    package var scopes: Set<ChangeScope>

    /// A closure that reads a state. It receives the previous state, or `nil`. It may run at any time and must have no
    /// other effect.
    package var read: @Sendable (_ previous: State?, borrowing ReadTransaction) throws -> State

    /// A closure that returns whether a state equals the previous one. Equal states are skipped.
    package var isSame: @Sendable (State, State) -> Bool

    /// A closure that returns whether changes of records may change a state. By default, they always do.
    package var isAffected: @Sendable (State, ChangedKeys, borrowing ReadTransaction) -> Bool = { _, _, _ in true }

    /// A closure that returns further records that a state depends on, or `nil` if ``scopes`` has all of them.
    package var dependencies: (@Sendable (State) -> Set<ChangeScope>)?

    /// Creates a read of the records in the given scopes.
    package init(
        _ scopes: Set<ChangeScope>, isSame: @escaping @Sendable (State, State) -> Bool,
        _ read: @escaping @Sendable (State?, borrowing ReadTransaction) throws -> State
    ) {
        self.scopes = scopes
        self.isSame = isSame
        self.read = read
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

    private let state = Mutex((State.idle, changes: ChangedKeys()))

    /// Adds changed keys. Resumes the waiting task, or lets its next wait return immediately.
    func signal(_ changes: ChangedKeys) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.changes.formUnion(changes)
            guard case .waiting(let continuation) = state.0 else {
                state.0 = .signaled
                return nil
            }
            state.0 = .idle
            return continuation
        }
        continuation?.resume(returning: true)
    }

    /// Returns the changed keys of all signals since the last call.
    func takeChanges() -> ChangedKeys {
        state.withLock { state in
            defer { state.changes = ChangedKeys() }
            return state.changes
        }
    }

    /// Waits for a signal.
    ///
    /// - Returns: Whether a signal arrived. `false` means that the task was cancelled.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSignaled = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard case .signaled = state.0 else {
                        state.0 = .waiting(continuation)
                        return nil
                    }
                    state.0 = .idle
                    return true
                }
                if let isSignaled { continuation.resume(returning: isSignaled) }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard case .waiting(let continuation) = state.0 else { return nil }
                state.0 = .idle
                return continuation
            }
            continuation?.resume(returning: false)
        }
    }
}
