import Synchronization

/// A wake-up signal for one waiting task. Signals that arrive while the task does not wait are merged into one, which
/// ends the next wait immediately.
final class WakeUp: Sendable {
    private let state = Mutex(
        (isSignaled: false, waiting: CheckedContinuation<Bool, Never>?.none, changes: ChangedKeys()))

    /// Adds changed keys. Resumes the waiting task, or lets its next wait return immediately.
    func signal(_ changes: ChangedKeys) {
        let waiting = state.withLock { state in
            state.changes.formUnion(changes)
            state.isSignaled = state.waiting == nil
            return state.waiting.take()
        }
        waiting?.resume(returning: true)
    }

    /// Returns the changed keys of all signals since the last call.
    func takeChanges() -> ChangedKeys {
        state.withLock { exchange(&$0.changes, with: ChangedKeys()) }
    }

    /// Waits for a signal.
    ///
    /// - Returns: Whether a signal arrived. `false` means that the task was cancelled.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSignaled = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard state.isSignaled else {
                        state.waiting = continuation
                        return nil
                    }
                    state.isSignaled = false
                    return true
                }
                if let isSignaled { continuation.resume(returning: isSignaled) }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume(returning: false)
        }
    }
}
