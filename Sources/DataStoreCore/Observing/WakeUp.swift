import Synchronization

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
