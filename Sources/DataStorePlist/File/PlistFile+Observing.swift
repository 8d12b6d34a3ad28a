import DataStoreCore
import DataStoreSystem
import Synchronization

extension PlistFile {
    /// Calls `wake` after changes to the records in a scope, whether this store, another process or a text editor makes
    /// them.
    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> ChangeObservation {
        try observers.add(scope, wake) { () throws(DataStoreError) in
            // The current state is loaded, even if the file is missing, so that each later change is detected.
            check()
            return try ChangePoll(of: path) { [self] in check() }
        }
    }

    /// Loads the file if it has changed. Loading notifies the observers of changed records. If the file becomes
    /// unreadable or readable again, this function notifies all observers.
    private func check() {
        let now = PolledState { try generation() }
        let before = observedState.withLock { observedState in
            defer { observedState = now }
            return observedState
        }
        if before != now, !now.isGeneration || before?.isGeneration == false { observers.wake(nil) }
    }
}
