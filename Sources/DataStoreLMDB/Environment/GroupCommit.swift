import DataStoreSystem
import Synchronization

/// A group commit, which runs the closures of several writes in one transaction, commits once, and then resumes all
/// callers. Only the writer thread uses this object.
///
/// If a closure throws before it has changed anything, the other writes are unaffected. If it has already made changes,
/// the transaction is aborted, and the other closures run again. The failed closure then runs in a transaction of its
/// own, so that its error depends only on committed data.
final class GroupCommit: WriteCommitter, Sendable {
    /// What the writer reports after it has released the lock for writing. The reports run code of the program, e.g. a
    /// resumed caller's executor or an observer. If that code blocked while this process holds the lock, no other
    /// process could write.
    private struct Reports {
        var results: [WriteRound.Result] = []
        var commits: [(number: UInt64, changes: ChangedKeys?)] = []
        var hasFailedCommit = false
    }

    /// The maximum number of writes in each transaction that repeats writes after a closure has failed. If another
    /// closure fails in such a transaction, at most this many closures run again.
    private static let maximumRetryCount = 64

    private let raw: RawEnvironment
    private let files: StoreFiles
    private let lockTimeout: Duration
    let maintenance: Maintenance
    /// The observers of each store, which are notified after a commit.
    let observers = Mutex<[TransactionObservers]>([])
    private let isDurable = Atomic(false)

    /// The number of the last transaction that this process has committed, and the version of the index catalogues
    /// after this transaction. It is `nil` before the first commit.
    private let lastCommit = Mutex<(transaction: UInt64, catalogues: UInt64)?>(nil)

    /// The last version of index catalogues in any environment of the process.
    private static let lastCatalogues = Atomic<UInt64>(0)

    /// Whether this process had to wait for another one when it last acquired the lock for writing.
    private let isContended = Atomic(false)

    init(raw: RawEnvironment, files: StoreFiles, lockTimeout: Duration) {
        self.raw = raw
        self.files = files
        self.lockTimeout = lockTimeout
        maintenance = Maintenance(raw)
    }

    /// Makes every commit from now on survive a power loss.
    func requireDurability() { isDurable.store(true, ordering: .relaxed) }

    var maintenanceInterval: Duration? { maintenance.interval }

    func maintain() { maintenance.run() }

    /// Flushes the commits that have not been flushed yet.
    func end() {
        // A failure is not reported, because no caller waits for the result and the durability `consistent` permits the
        // loss.
        if !isDurable.load(ordering: .relaxed) { raw.sync() }
    }

    /// Runs all writes while this process holds the lock for writing, and then resumes their callers.
    ///
    /// If the lock is not acquired in time, no closure runs and every write fails with `busy`.
    func commit(_ round: WriteRound) {
        var reports = Reports()
        do throws(DataStoreError) {
            let lock = try files.lockForWriting(
                timeout: lockTimeout, isYielding: isContended.load(ordering: .relaxed)
            ) { () throws(DataStoreError) in try raw.lastTransaction() }
            isContended.store(lock.hasWaited, ordering: .relaxed)
            var batches = [round.writes]
            // Later batches repeat writes and are not extended, so that another failure repeats only a few writes.
            var arrivals = { round.arrivals(after: $0) }
            while let batch = batches.popLast() {
                batches += commit(batch, arrivals, &reports).reversed()
                arrivals = { _ in [] }
            }
            lock.release()
        } catch {
            let error = error.ofStore("write to the store", path: files.path)
            reports.results = round.writes.map { ($0, error) }
        }
        // The list is read now, so that observers added during the commit are notified, too.
        for observers in observers.withLock({ $0 }) {
            if reports.hasFailedCommit { observers.didNotCommit() }
            for (number, changes) in reports.commits { observers.didCommit(number, changes) }
        }
        round.finish(reports.results)
    }

    /// Runs the closures of a batch, and of writes that arrive meanwhile. Then commits.
    ///
    /// - Returns: The batches that must run instead, each in a transaction of its own, because this one was aborted.
    private func commit(
        _ batch: [PendingWrite], _ arrivals: (Int) -> [PendingWrite], _ reports: inout Reports
    ) -> [[PendingWrite]] {
        var batch = batch
        // An error may depend on earlier writes of the batch, so the caller receives it after they are committed.
        var results: [WriteRound.Result] = []
        do throws(DataStoreError) {
            try files.check()
            raw.setFlushesMeta(isDurable.load(ordering: .relaxed))
            let transaction = try raw.begin(readOnly: false)
            // Each commit takes the next number. If the numbers are not consecutive, another process has committed.
            let catalogues = lastCommit.withLock { last in
                last.flatMap { $0.transaction + 1 == transaction.number ? $0.catalogues : nil }
            }
            let isObserved = observers.withLock { $0.contains { !$0.isEmpty } }
            let writer = Writer(transaction, isObserved: isObserved, catalogueVersion: catalogues)
            while true {
                let index = results.count
                if index == batch.count {
                    let more = arrivals(index)
                    guard !more.isEmpty else { break }
                    batch += more
                }
                let write = batch[index]
                let changeCount = writer.changeCount
                // After a failure of liblmdb, the transaction cannot be committed, even if the closure ignored it.
                let failure = write.runError(in: writer) ?? writer.failure
                let error = (failure as? DataStoreError).map(explained) ?? failure
                if let error, writer.changeCount != changeCount || writer.failure != nil {
                    writer.abort()
                    guard batch.count == 1 else { return Self.batches(of: batch, failedAt: index) }
                    reports.results.append((write, error))
                    return []
                }
                results.append((write, error))
            }
            if writer.changeCount > 0 { try commit(writer, &reports) }
        } catch {
            let error = explained(error)
            // The writes do not fit into one transaction.
            if error.code == .full, batch.count > 1 { return batch.map { [$0] } }
            let failure = error.ofStore("write to the store", path: files.path)
            reports.results += batch.map { ($0, failure) }
            return []
        }
        reports.results += results
        return []
    }

    /// Divides a batch in which the closure of one write failed after it had made changes. This write runs last.
    private static func batches(of batch: [PendingWrite], failedAt index: Int) -> [[PendingWrite]] {
        let others = batch[..<index] + batch[(index + 1)...]
        return stride(from: others.startIndex, to: others.endIndex, by: maximumRetryCount)
            .map { Array(others[$0..<min($0 + maximumRetryCount, others.endIndex)]) } + [[batch[index]]]
    }

    /// Commits a transaction. The observers are notified later, unless they look for the transaction themselves.
    private func commit(_ writer: Writer, _ reports: inout Reports) throws(DataStoreError) {
        let number = writer.number
        for observers in observers.withLock({ $0 }) { observers.willCommit(number) }
        do throws(DataStoreError) {
            try writer.commit()
        } catch {
            reports.hasFailedCommit = true
            throw error
        }
        let catalogues =
            writer.catalogueVersion ?? Self.lastCatalogues.wrappingAdd(1, ordering: .relaxed).newValue
        lastCommit.withLock { $0 = (number, catalogues) }
        reports.commits.append((number, writer.changedKeys))
    }

    /// Returns the error for a full disk if liblmdb reported an input/output error and the file cannot grow. Otherwise
    /// returns the given error.
    private func explained(_ error: DataStoreError) -> DataStoreError {
        error.lmdbCode == EIO && !files.data.canGrow(byBytes: 65_536)
            ? LMDBError(code: ENOSPC).mapped(error.operation ?? "commit") : error
    }
}
