import DataStoreCore
import DataStoreFiles
import Synchronization
import SystemPackage

extension PlistFile {
    /// The last observed state of the file, by which changes are detected.
    enum Sight: Equatable {
        case generation(UInt64)
        case failure(String)

        var isFailure: Bool { if case .failure = self { true } else { false } }
    }

    /// Calls `wake` after changes in a scope, whether this store, another process or a text editor makes them.
    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> ChangeObservation {
        try observers.add(scope, wake) { () throws(DataStoreError) in
            // Loads the current state, even of a missing file, so that each later change is detected.
            _ = look()
            do throws(FileWatch.NoThread) {
                return try FileWatch(places: { [path] in PlistLocation.places(of: path) }) { [self] in look() }
            } catch {
                throw DataStoreError(Errno(rawValue: error.code), "observe the store", path: path)
            }
        }
    }

    /// Loads the file if it has changed. Loading changed contents notifies the observers; so does this function if the
    /// file becomes unreadable or readable again.
    ///
    /// - Returns: whether the state differs from the last observed one.
    private func look() -> Bool {
        let now: Sight
        do {
            now = .generation(try generation())
        } catch {
            now = .failure("\(error)")
        }
        let before = sight.withLock { sight in
            defer { sight = now }
            return sight
        }
        guard before != now else { return false }
        if now.isFailure || before?.isFailure == true { observers.wake(nil) }
        return true
    }
}
