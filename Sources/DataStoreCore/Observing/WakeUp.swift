import Synchronization

/// A wake-up signal for one waiting task. Signals that arrive while the task does not wait are merged into one, which
/// ends the next wait immediately.
final class WakeUp: Sendable {
    private let changes = Mutex(ChangedKeys())
    private let signals = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Adds changed keys. Resumes the waiting task, or lets its next wait return immediately.
    func signal(_ changes: ChangedKeys) {
        self.changes.withLock { $0.formUnion(changes) }
        signals.continuation.yield()
    }

    /// Returns the changed keys of all signals since the last call.
    func takeChanges() -> ChangedKeys { changes.withLock { exchange(&$0, with: ChangedKeys()) } }

    /// Waits for a signal. After the task was cancelled, no signal arrives any more.
    ///
    /// - Returns: Whether a signal arrived. `false` means that the task was cancelled.
    func wait() async -> Bool {
        var iterator = signals.stream.makeAsyncIterator()
        return await iterator.next(isolation: #isolation) != nil && !Task.isCancelled
    }
}
