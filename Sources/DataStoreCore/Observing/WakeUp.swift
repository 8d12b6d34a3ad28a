import Synchronization

/// A signal that one task waits for. Signals that arrive while the task is busy are merged into one.
final class WakeUp: Sendable {
    private enum State {
        case quiet
        case called
        case waiting(CheckedContinuation<Bool, Never>)
    }

    private let state = Mutex(State.quiet)

    /// Resumes the waiting task, or makes its next wait return immediately.
    func call() {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard case .waiting(let continuation) = state else {
                state = .called
                return nil
            }
            state = .quiet
            return continuation
        }
        continuation?.resume(returning: true)
    }

    /// Waits for a signal.
    ///
    /// - Returns: `false` if the task was cancelled.
    func wait() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard case .called = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .quiet
                    return true
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard case .waiting(let continuation) = state else { return nil }
                state = .quiet
                return continuation
            }
            continuation?.resume(returning: false)
        }
    }
}
