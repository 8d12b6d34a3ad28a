import DataStoreCore
import DataStoreSystem
import Synchronization

extension PlistFile {
    /// Runs a closure while this store holds the lock on `NAME.lock`. While one store holds the lock, no other store of
    /// this or another process writes to the file. If the directory or the lock file does not exist, creates it.
    ///
    /// - Throws: The error of the closure, or `DataStoreError` with the code `busy` if the lock is not acquired in
    ///   time.
    func withLock<Result>(
        _ body: (PlistLocation) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        _ = try opening { () throws(DataStoreError) in try Directory.creating(Path(path).parent) }
        for _ in 0..<100 {
            guard let location = try PlistLocation.resolve(path) else {
                throw DataStoreError(
                    .inputOutput, "the directory of a symbolic link's target does not exist", path: path)
            }
            let lock = try lock(location)
            isContended.store(lock.hasWaited, ordering: .relaxed)
            // The path may resolve to another file after the wait. Reading one file and writing another would lose
            // data.
            if try location.isSame(as: PlistLocation.resolve(path)) {
                try removeLeftovers(at: location)
                let result = try body(location)
                lock.release()
                return result
            }
            lock.release()
        }
        throw DataStoreError(.busy, "another process keeps changing a symbolic link in the path; retry", path: path)
    }

    /// Runs a step that creates the store for the first write. An error of the step is reported as an error of opening
    /// the store.
    private func opening<Result>(_ step: () throws(DataStoreError) -> Result) throws(DataStoreError) -> Result {
        do throws(DataStoreError) {
            return try step()
        } catch {
            throw error.ofStore("open the store", path: path)
        }
    }

    private func lock(_ location: PlistLocation) throws(DataStoreError) -> FileLock {
        let name = "\(location.name).lock"
        for _ in 0..<100 {
            let file = try opening { () throws(DataStoreError) in try location.directory.openOrCreate(name) }
            let lock = try FileLock(
                file, timeout: lockTimeout, isYielding: isContended.load(ordering: .relaxed)
            ) { () throws(DataStoreError) in try stamp(at: location) }
            // If another process has removed the lock file, no other process sees this lock.
            if try location.directory.status(of: name)?.id == file.status().id { return lock }
            lock.release()
        }
        throw DataStoreError(.busy, "another process keeps removing the lock file; retry", path: location.path)
    }

    /// Removes the temporary files of killed processes, if this is the first write of this store or the store had to
    /// wait for the lock. Otherwise does nothing.
    private func removeLeftovers(at location: PlistLocation) throws(DataStoreError) {
        guard isContended.load(ordering: .relaxed) || !hasRemovedLeftovers.exchange(true, ordering: .relaxed) else {
            return
        }
        try location.directory.removeTemporaryFiles("saving", for: location.name)
    }
}
