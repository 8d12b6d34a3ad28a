import DataStoreSystem
import Synchronization

extension PlistFile: WriteCommitter {
    /// Runs writes in order on the newest contents, and replaces the file once for all of them.
    func commit(_ round: WriteRound) {
        do {
            let (changes, results) = try withLock { location, lock throws(DataStoreError) in
                var contents = try contents(at: location)
                let outcome = run(round.writes, on: &contents.records)
                if outcome.changes != nil { try replace(with: contents, at: location, lock) }
                return outcome
            }
            // The lock is released first, because an observer runs code of the program, which may block.
            if let changes { observers.wake(changes) }
            // A closure may have failed because of an earlier write of this batch, so errors are reported only after
            // the commit.
            round.finish(results)
        } catch {
            round.fail(round.writes, with: error.ofStore("write to the store", path: path))
        }
    }

    /// Runs writes in order. A failed write leaves no change.
    ///
    /// - Returns: The keys of the changed records, or `nil` if no write changed a record, and the result of each write.
    private func run(
        _ writes: [PendingWrite], on records: inout RecordTree
    ) -> (changes: ChangedKeys?, results: [WriteRound.Result]) {
        let isObserved = !observers.isEmpty
        var changes: ChangedKeys?
        var results: [WriteRound.Result] = []
        for write in writes {
            let transaction = RecordTreeTransaction(records, isObserved: isObserved)
            let error = write.runError(in: transaction)
            results.append((write, error))
            if error != nil { continue }
            records = transaction.tree
            if transaction.hasChanges {
                // An observer that registers during the batch is notified that any record may have changed.
                changes = changes ?? ChangedKeys()
                changes?.formUnion(transaction.changedKeys ?? .everything)
            }
        }
        return (changes, results)
    }

    /// Runs a closure while this store holds the lock on `NAME.lock`. While one store holds the lock, no other store of
    /// this or another process writes to the file. If the directory or the lock file does not exist, creates it.
    ///
    /// - Throws: The error of the closure, or `DataStoreError` with the code `busy` if the lock is not acquired in
    ///   time.
    func withLock<Result>(
        _ body: (PlistLocation, borrowing FileLock) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        _ = try opening { () throws(DataStoreError) in try Directory.creating(Path(path).parent) }
        for _ in 0..<100 {
            guard let location = try PlistLocation.resolve(path) else {
                throw DataStoreError(
                    .inputOutput, "the directory of a symbolic link's target does not exist", path: path)
            }
            let name = "\(location.name).lock"
            let file = try opening { () throws(DataStoreError) in try location.directory.openOrCreate(name) }
            let lock = try FileLock(
                file, timeout: lockTimeout, isYielding: isContended.load(ordering: .relaxed)
            ) { () throws(DataStoreError) in try stamp(at: location) }
            isContended.store(lock.hasWaited, ordering: .relaxed)
            // If another process has removed the lock file, no other process sees this lock. The path may resolve to
            // another file after the wait, and reading one file and writing another would lose data.
            if try location.directory.status(of: name)?.id == file.status().id,
                try location.isSame(as: PlistLocation.resolve(path))
            {
                // Killed processes leave temporary files. This may have happened before the first write of this store,
                // or while the store had to wait for the lock.
                if lock.hasWaited || !hasRemovedLeftovers.exchange(true, ordering: .relaxed) {
                    try location.directory.removeTemporaryFiles("saving", for: location.name)
                }
                let result = try body(location, lock)
                lock.release()
                return result
            }
            lock.release()
        }
        throw DataStoreError(
            .busy, "another process keeps removing the lock file or changing a symbolic link in the path; retry",
            path: path)
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
}
