import DataStoreCore
import DataStoreFiles
import Synchronization
import SystemPackage

extension PlistFile {
    /// What there is to be seen of a file.
    enum Sight: Equatable {
        case generation(UInt64)
        case failure(String)

        var isFailure: Bool { if case .failure = self { true } else { false } }
    }

    /// Begins to wake somebody after changes in a scope, whoever makes them.
    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> ChangeObservation {
        try observers.add(scope, wake) { () throws(DataStoreError) in
            // What is not there yet is told of.
            _ = look()
            do throws(FileWatch.NoThread) {
                return try FileWatch(places: { [path] in PlistLocation.places(of: path) }) { [self] in look() }
            } catch {
                throw DataStoreError(Errno(rawValue: error.code), "observe the store", path: path)
            }
        }
    }

    /// Looks at the file for those who observe: where it was changed, whoever finds that out tells them.
    ///
    /// - Returns: whether there was anything new.
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
