import DataStoreCore
import DataStoreSystem
import Synchronization

extension PlistFile {
    /// The state of the file at a check for changes: the generation of its contents, or a failure to read it.
    enum ObservedState: Equatable {
        case generation(UInt64)
        case failure(String)

        var isFailure: Bool { if case .failure = self { true } else { false } }
    }

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
        let now: ObservedState
        do {
            now = .generation(try generation())
        } catch {
            now = .failure("\(error)")
        }
        let before = observedState.withLock { observedState in
            defer { observedState = now }
            return observedState
        }
        if before != now, now.isFailure || before?.isFailure == true { observers.wake(nil) }
    }
}
