import Synchronization

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
