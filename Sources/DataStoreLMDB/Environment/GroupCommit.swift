import DataStoreCore
import DataStoreFiles
import Synchronization

/// A group commit, which runs the closures of several writes in one transaction, commits once, and then resumes all
/// callers. Only the writer thread uses this object.
///
/// If a closure throws before it has changed anything, the other writes are unaffected. If it has already made changes,
/// the transaction is aborted, and the other closures run again. The failed closure then runs in a transaction of its
/// own, so that its error depends only on committed data.
final class GroupCommit: Sendable {
    private enum Outcome {
        case done
        /// The memory map has grown, so the batch must run again.
        case retry
        /// The closure of the write at this index failed after it had made changes, so the transaction was aborted.
        case failed(at: Int)
        /// The writes of the batch do not fit into one transaction, so each of them must run in a transaction of its
        /// own.
        case transactionFull
    }

    /// The maximum number of writes in each transaction that repeats writes after a closure has failed. If another
    /// closure fails in such a transaction, at most this many closures run again.
    private static let maximumRetryCount = 64

    private let map: MemoryMap
    private let files: StoreFiles
    let lockTimeout: Duration
    /// The observers of each store, which are notified after a commit.
    let observers = Mutex<[TransactionObservers]>([])
    private let isDurable = Atomic(false)

    /// The number of the last transaction that this process has committed, and the version of the index catalogues
    /// after this transaction. It is `nil` before the first commit.
    private let lastCommit = Mutex<(transaction: UInt64, catalogues: CatalogueVersion)?>(nil)

    /// Whether this process had to wait for another one when it last acquired the lock for writing.
    private let isContended = Atomic(false)

    init(map: MemoryMap, files: StoreFiles, lockTimeout: Duration) {
        self.map = map
        self.files = files
        self.lockTimeout = lockTimeout
    }

    /// Makes every commit from now on survive a power loss.
    func requireDurability() { isDurable.store(true, ordering: .relaxed) }

    /// Flushes the commits that have not been flushed yet.
    func flush() {
        // A failure is not reported, because no caller waits for the result and the durability `consistent` permits the
        // loss.
        if !isDurable.load(ordering: .relaxed) { map.raw.sync() }
    }

    /// Runs and finishes all writes while this process holds the lock for writing.
    ///
    /// The lock is acquired before the memory map is locked, so that reads never wait for another process. If the lock
    /// is not acquired in time, no closure runs and every write fails with `busy`.
    ///
    /// - Parameters:
    ///   - writes: The pending writes.
    ///   - arrivals: A closure that returns writes to add to the first transaction. It receives the number of writes
    ///     that have run in the transaction. It is called until it returns no write.
    ///   - willResume: A closure that is called after each commit, before the callers of its writes are resumed. It
    ///     receives the number of these callers.
    ///   - report: A closure that receives the events of the environment.
    func run(
        _ writes: [PendingWrite], arrivals: (Int) -> [PendingWrite], willResume: (Int) -> Void,
        report: (LMDBDataStore.Event) -> Void
    ) {
        do throws(DataStoreError) {
            let lock = try files.lockForWriting(
                timeout: lockTimeout, isYielding: isContended.load(ordering: .relaxed)
            ) { () throws(DataStoreError) in try map.lastTransaction() }
            isContended.store(lock.hasWaited, ordering: .relaxed)
            runLocked(writes, arrivals, willResume, report)
            lock.release()
        } catch {
            let error = error.ofStore("write to the store", path: files.path)
            for write in writes { write.fail(with: error) }
        }
    }

    private func runLocked(
        _ writes: [PendingWrite], _ arrivals: (Int) -> [PendingWrite], _ willResume: (Int) -> Void,
        _ report: (LMDBDataStore.Event) -> Void
    ) {
        var batches = [writes]
        var isFirst = true
        while var batch = batches.popLast() {
            guard !batch.isEmpty else { continue }
            let outcome = map.locked { commit(&batch, isFirst, arrivals, willResume, report) }
            isFirst = false
            switch outcome {
            case .done: break
            case .retry: batches.append(batch)
            case .transactionFull: batches += batch.reversed().map { [$0] }
            case .failed(let index):
                batches.append([batch[index]])
                let others = batch[..<index] + batch[(index + 1)...]
                batches += stride(from: others.startIndex, to: others.endIndex, by: GroupCommit.maximumRetryCount)
                    .map { Array(others[$0..<min($0 + GroupCommit.maximumRetryCount, others.endIndex)]) }.reversed()
            }
        }
    }

    /// Runs the closures of a batch and commits. If `isFirst` is `true`, adds writes that arrive meanwhile to the
    /// batch. Later batches repeat writes and are not extended, so that another failure repeats only a few writes.
    private func commit(
        _ batch: inout [PendingWrite], _ isFirst: Bool, _ arrivals: (Int) -> [PendingWrite],
        _ willResume: (Int) -> Void, _ report: (LMDBDataStore.Event) -> Void
    ) -> Outcome {
        // An error may depend on earlier writes of the batch, so the caller receives it after they are committed.
        var results: [(write: PendingWrite, error: (any Error)?)] = []
        do throws(DataStoreError) {
            try files.check()
            map.raw.setFlushesMeta(isDurable.load(ordering: .relaxed))
            let writer = try map.makeWriter()
            // Each commit takes the next number. If the numbers are not consecutive, another process has committed.
            writer.catalogueVersion = lastCommit.withLock { last in
                last.flatMap { $0.transaction + 1 == writer.number ? $0.catalogues : nil }
            }
            writer.isObserved = observers.withLock { $0.contains { !$0.isEmpty } }
            while true {
                let index = results.count
                if index == batch.count {
                    let more = isFirst ? arrivals(index) : []
                    guard !more.isEmpty else { break }
                    batch += more
                }
                let write = batch[index]
                let changeCount = writer.changeCount
                let error = failure(of: write, in: writer)
                if let error, writer.changeCount != changeCount || writer.failure != nil {
                    writer.abort()
                    if writer.failure?.lmdbCode == LMDBError.mapFull, try grow(report) { return .retry }
                    guard batch.count == 1 else { return .failed(at: index) }
                    write.fail(with: error)
                    return .done
                }
                results.append((write, error))
            }
            if writer.changeCount > 0 { try commit(writer) }
        } catch {
            return outcome(of: batch, after: error, report)
        }
        willResume(batch.count)
        for (write, error) in results {
            if let error { write.fail(with: error) } else { write.succeed() }
        }
        return .done
    }

    /// Commits a transaction and notifies the observers.
    private func commit(_ writer: Writer) throws(DataStoreError) {
        // The list is read each time, so that observers added during the commit are notified, too.
        func notify(_ body: (TransactionObservers) -> Void) {
            for observers in observers.withLock({ $0 }) where !observers.isEmpty { body(observers) }
        }
        let number = writer.number
        notify { $0.willCommit(number) }
        do throws(DataStoreError) {
            try writer.commit()
        } catch {
            // The last observation may have ended since `willCommit`.
            for observers in observers.withLock({ $0 }) { observers.didNotCommit() }
            throw error
        }
        lastCommit.withLock { $0 = (number, writer.catalogueVersion ?? CatalogueVersion()) }
        notify { $0.didCommit(number, writer.changedKeys) }
    }

    /// Runs the closure of a write.
    ///
    /// - Returns: The error that the closure threw, or a failure of liblmdb that the closure ignored, or `nil`. After a
    ///   failure of liblmdb, the transaction cannot be committed.
    private func failure(of write: PendingWrite, in writer: Writer) -> (any Error)? {
        do {
            try write.run(in: writer)
            return writer.failure.map(explained)
        } catch let error as DataStoreError {
            return explained(error)
        } catch {
            return error
        }
    }

    private func outcome(
        of batch: [PendingWrite], after error: DataStoreError, _ report: (LMDBDataStore.Event) -> Void
    ) -> Outcome {
        var error = explained(error)
        if error.lmdbCode == LMDBError.mapFull {
            do throws(DataStoreError) {
                if try grow(report) { return .retry }
            } catch let failure {
                error = failure
            }
        }
        if error.code == .full, batch.count > 1 { return .transactionFull }
        error = error.ofStore("write to the store", path: files.path)
        for write in batch { write.fail(with: error) }
        return .done
    }

    private func grow(_ report: (LMDBDataStore.Event) -> Void) throws(DataStoreError) -> Bool {
        guard let byteCount = try map.grow() else { return false }
        report(.mapGrew(byteCount: byteCount))
        return true
    }

    /// Returns the error for a full disk if liblmdb reported an input/output error and the file cannot grow. Otherwise
    /// returns the given error.
    private func explained(_ error: DataStoreError) -> DataStoreError {
        error.lmdbCode == LMDBError.inputOutput && !files.data.canGrow(byBytes: 65_536)
            ? LMDBError(code: LMDBError.noSpace).mapped(error.operation ?? "commit") : error
    }
}
