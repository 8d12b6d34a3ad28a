import DataStoreCore
import DataStoreFiles
import Synchronization

/// Commits writes together: runs each closure in one transaction, commits once, then answers all. Only the writer
/// thread uses it.
///
/// A closure that throws leaves nothing and harms no other. Where it had already changed something, the transaction is
/// given up, the others run again, and it runs by itself afterwards: what it throws then follows from what is saved.
final class GroupCommit: Sendable {
    private enum Outcome {
        case done
        /// The same again: the map has grown.
        case again
        /// One spoilt the transaction.
        case spoilt(by: Int)
        /// All together do not fit.
        case tooMuch
    }

    /// How many go into one transaction once one of them has spoilt it: each that does makes those before it run again.
    private static let carefulCount = 64

    private let map: MemoryMap
    private let files: StoreFiles
    private let lockTimeout: Duration
    /// Those who are to be told, of each store.
    let observers = Mutex<[TransactionObservers]>([])
    private let isDurable = Atomic(false)

    /// Whether another process held the lock for writing when it was last acquired.
    private let isContended = Atomic(false)

    init(map: MemoryMap, files: StoreFiles, lockTimeout: Duration) {
        self.map = map
        self.files = files
        self.lockTimeout = lockTimeout
    }

    /// Makes every commit from now on survive a power loss.
    func requireDurability() { isDurable.store(true, ordering: .relaxed) }

    /// Makes durable what the last commits have left to be flushed later.
    func flush() {
        // Nobody waits for an answer: what these commits promised holds without.
        if !isDurable.load(ordering: .relaxed) { map.raw.sync() }
    }

    /// Runs and answers all, while this process holds the lock for writing. It is acquired before the map is locked, so
    /// that reads never wait for another process. If the time limit is reached, no closure runs.
    func run(_ jobs: [PendingWrite], report: (LMDBDataStore.Event) -> Void) {
        do throws(DataStoreError) {
            let lock = try files.lockForWriting(
                timeout: lockTimeout, isYielding: isContended.load(ordering: .relaxed)
            ) { () throws(DataStoreError) in try map.raw.lastTransaction() }
            isContended.store(lock.hasWaited, ordering: .relaxed)
            runLocked(jobs, report)
            lock.release()
        } catch {
            for job in jobs { job.fail(with: error) }
        }
    }

    private func runLocked(_ jobs: [PendingWrite], _ report: (LMDBDataStore.Event) -> Void) {
        var batches = [jobs]
        while let batch = batches.popLast() {
            guard !batch.isEmpty else { continue }
            switch map.locked({ commit(batch, report: report) }) {
            case .done: break
            case .again: batches.append(batch)
            case .tooMuch: batches += batch.reversed().map { [$0] }
            case .spoilt(let index):
                batches.append([batch[index]])
                let others = batch[..<index] + batch[(index + 1)...]
                batches += stride(from: others.startIndex, to: others.endIndex, by: GroupCommit.carefulCount)
                    .map { Array(others[$0..<min($0 + GroupCommit.carefulCount, others.endIndex)]) }.reversed()
            }
        }
    }

    private func commit(_ batch: [PendingWrite], report: (LMDBDataStore.Event) -> Void) -> Outcome {
        // What a closure threw may follow from what others wrote before it: it is answered when that is committed.
        var results: [(job: PendingWrite, error: (any Error)?)] = []
        do throws(DataStoreError) {
            try files.check()
            map.raw.setFlushesMeta(isDurable.load(ordering: .relaxed))
            let writer = try map.makeWriter()
            writer.isObserved = observers.withLock { $0.contains { !$0.isEmpty } }
            for (index, job) in batch.enumerated() {
                let changeCount = writer.changeCount
                let error = failure(of: job, in: writer)
                if let error, writer.changeCount != changeCount || writer.failure != nil {
                    writer.abort()
                    if writer.failure?.lmdbCode == LMDBError.mapFull, try grow(report) { return .again }
                    guard batch.count == 1 else { return .spoilt(by: index) }
                    job.fail(with: error)
                    return .done
                }
                results.append((job, error))
            }
            if writer.changeCount > 0 { try commit(writer) }
        } catch {
            return outcome(of: batch, after: error, report)
        }
        for (job, error) in results {
            if let error { job.fail(with: error) } else { job.succeed() }
        }
        return .done
    }

    /// Commits, and tells those who observe.
    private func commit(_ writer: Writer) throws(DataStoreError) {
        // Who comes while it is under way is told, too.
        func tell(_ body: (TransactionObservers) -> Void) {
            for observers in observers.withLock(\.self) where !observers.isEmpty { body(observers) }
        }
        let number = writer.number
        tell { $0.willCommit(number) }
        do throws(DataStoreError) {
            try writer.commit()
        } catch {
            tell { $0.didNotCommit() }
            throw error
        }
        tell { $0.didCommit(number, writer.changedKeys) }
    }

    /// Runs a closure.
    ///
    /// - Returns: what it threw, or the failure of the library that it went on after: it has lost writes.
    private func failure(of job: PendingWrite, in writer: Writer) -> (any Error)? {
        do {
            try job.run(in: writer)
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
                if try grow(report) { return .again }
            } catch let failure {
                error = failure
            }
        }
        if error.code == .full, batch.count > 1 { return .tooMuch }
        for job in batch { job.fail(with: error) }
        return .done
    }

    private func grow(_ report: (LMDBDataStore.Event) -> Void) throws(DataStoreError) -> Bool {
        guard let byteCount = try map.grow() else { return false }
        report(.mapGrew(byteCount: byteCount))
        return true
    }

    /// Says that there is no room where the library says that a write was cut short.
    private func explained(_ error: DataStoreError) -> DataStoreError {
        error.lmdbCode == LMDBError.inputOutput && !files.data.canGrow(byBytes: 65_536)
            ? LMDBError(code: LMDBError.noSpace).mapped(error.operation ?? "commit") : error
    }
}
