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
            _ = check()
            do throws(FileWatch.ThreadStartError) {
                return try FileWatch(paths: { [path] in PlistLocation.watchedPaths(of: path) }) { [self] in check() }
            } catch {
                throw DataStoreError.noThread(error.code, "observe the store", path: path)
            }
        }
    }

    /// Loads the file if it has changed. Loading notifies the observers of changed records. If the file becomes
    /// unreadable or readable again, this function notifies all observers.
    ///
    /// - Returns: Whether the state differs from the state at the last check.
    private func check() -> Bool {
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
        guard before != now else { return false }
        if now.isFailure || before?.isFailure == true { observers.wake(nil) }
        return true
    }
}

extension PlistFile {
    /// Replaces a damaged file with a file of its intact parts, and keeps the damaged file under another name.
    func recover() throws(DataStoreError) -> PlistDataStore.RecoveryReport {
        guard try exists() else { throw DataStoreError.missing() }
        return try withLock { location throws(DataStoreError) in
            guard let read = try location.read() else { throw DataStoreError.missing() }
            guard let recovered = try PlistContents.recovering(read.bytes) else {
                return PlistDataStore.RecoveryReport(recordCount: try PlistContents(read.bytes).recordCount)
            }
            let damagedFile = try location.keepDamaged(read.bytes)
            _ = try location.directory.replace(
                location.name, with: recovered.contents.serialized())
            return PlistDataStore.RecoveryReport(recovered, keptAs: damagedFile)
        }
    }

    /// Copies the file to a new path. Throws an error if the file is damaged.
    func backUp(to target: String) throws(DataStoreError) {
        guard let read = try PlistLocation.resolve(path)?.read() else {
            throw DataStoreError.missing()
        }
        _ = try PlistContents(read.bytes)
        let entry = Path(target)
        guard entry.hasEntryName else {
            throw DataStoreError(
                .notAStore, "\(target.escapingControlCharacters) has no file name; choose another path")
        }
        let directory = try Directory.creating(entry.parent)
        try directory.checkPermissions()
        guard try directory.create(entry.name, with: read.bytes) else {
            throw DataStoreError.exists(target)
        }
    }
}
