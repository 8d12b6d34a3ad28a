import DataStoreSystem
import Synchronization

/// The observers of a store, and the last transaction of which they were notified.
///
/// Transaction numbers are consecutive across all processes. The writer of this process reports which keys its
/// transactions changed, and only the observers of these keys are notified. After a transaction of another process, or
/// a transaction whose changed keys are unknown, all observers are notified.
final class TransactionObservers: Sendable {
    private struct State {
        /// The last state that was reported to the observers, or `nil` if no state has been reported.
        var lastNotified: PolledState?
        /// The number of the transaction that the writer of this process is committing, or `nil` if it is not
        /// committing any. A check does not report this transaction, because the writer does so after the commit.
        var committing: UInt64?

        /// Records the current state, and returns whether observers have not been notified of it yet.
        mutating func updateLastNotified(_ current: PolledState) -> Bool {
            guard case .generation(var number) = current else {
                return exchange(&lastNotified, with: current) != current
            }
            if number == committing { number -= 1 }
            // After the check read the number, the writer may already have reported this or a later transaction.
            if case .generation(let last) = lastNotified, last >= number { return false }
            lastNotified = .generation(number)
            return true
        }
    }

    private let state = Mutex(State())
    private let observers = ChangeObservers()

    /// Whether there are no observers.
    var isEmpty: Bool { observers.isEmpty }

    /// Adds an observer.
    ///
    /// - Parameters:
    ///   - scope: The records to observe.
    ///   - wake: A closure that is called after each commit that may have changed a record in the scope.
    ///   - path: The directory of the store.
    ///   - generation: A closure that returns the number of the last transaction.
    /// - Returns: The observation.
    /// - Throws: `DataStoreError` if the thread that detects commits of other processes cannot be started.
    func add(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void, of path: String,
        generation: @escaping @Sendable () throws -> UInt64
    ) throws(DataStoreError) -> ChangeObservation {
        try observers.add(scope, wake) { () throws(DataStoreError) in
            // The current state is recorded, so that every later change is reported.
            check(generation)
            return try ChangePoll(of: path) { [self] in check(generation) }
        }
    }

    /// Wakes all observers for the last time, because the store is closed.
    func close() { observers.close() }

    /// Checks for transactions of other processes, and notifies all observers if there are new ones.
    private func check(_ generation: () throws -> UInt64) {
        let current = PolledState(generation)
        if state.withLock({ $0.updateLastNotified(current) }) { observers.wake(nil) }
    }

    // MARK: The writer of this process

    /// Records that the writer is about to commit a transaction.
    func willCommit(_ number: UInt64) { state.withLock { $0.committing = number } }

    /// Notifies the observers of a committed transaction.
    ///
    /// - Parameters:
    ///   - number: The number of the transaction.
    ///   - changes: The changed keys, or `nil` if they are not known.
    func didCommit(_ number: UInt64, _ changes: ChangedKeys?) {
        let changes = state.withLock { state -> ChangedKeys? in
            state.committing = nil
            let last: UInt64? = if case .generation(let last) = state.lastNotified { last } else { nil }
            if let last, last >= number { return ChangedKeys() }
            state.lastNotified = .generation(number)
            // Other processes may have committed in between.
            return last == number - 1 ? changes : nil
        }
        observers.wake(changes)
    }

    /// Records that the commit failed, and notifies all observers.
    func didNotCommit() {
        state.withLock { $0.committing = nil }
        observers.wake(nil)
    }
}
