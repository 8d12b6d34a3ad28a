import DataStoreCore
import DataStoreSystem

extension PlistFile: WriteCommitter {
    /// Runs writes in order on the newest contents, and replaces the file once for all of them.
    func commit(_ round: WriteRound) {
        do {
            let (changes, results) = try withLock { location throws(DataStoreError) in
                var contents = try contents(at: location)
                let outcome = run(round.writes, on: &contents.records)
                if outcome.changes != nil { try replace(with: contents, at: location) }
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
            do {
                try write.run(in: transaction)
                records = transaction.tree
                if transaction.hasChanges {
                    // An observer that registers during the batch is notified that any record may have changed.
                    changes = changes ?? ChangedKeys()
                    changes?.formUnion(transaction.changedKeys ?? .everything)
                }
                results.append((write, nil))
            } catch {
                results.append((write, error))
            }
        }
        return (changes, results)
    }
}
