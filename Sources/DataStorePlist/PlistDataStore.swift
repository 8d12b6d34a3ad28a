public import DataStoreCore
import DataStoreFiles
import DataStoreMemory
import Synchronization

/// A store in a property-list file that a person can read and edit.
///
/// The file has one dictionary `UserProfile` with a dictionary for each collection, in it one for each id, and in that
/// the fields in the property list's own types. Other entries of the file are kept as they are. It is read when it has
/// changed, by whomever, and replaced as a whole: temporary file, sync, rename, sync of the directory, under the lock
/// of a file beside it (`<name>.lock`).
///
/// Each save writes the whole file, so this store is for tens to thousands of records; saves that come together share
/// a write.
public final class PlistDataStore: DataStore {
    /// How a property list is written.
    public enum Format: Sendable {
        /// XML text.
        case xml
        /// The binary format, `bplist00`.
        case binary
    }

    let file: PlistFile
    private let queue = WriteQueue()
    private let writer = WorkThread()
    private let isClosed = Atomic(false)

    /// The file.
    public var path: String { file.path }

    /// Opens the store in a file. The file and its directory are made by the first save.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - format: how it is written if it does not exist yet; otherwise it stays as it is.
    ///   - lockTimeout: how long to wait for the lock of another process that makes no progress, before an operation
    ///     fails with the code `busy`.
    /// - Throws: `DataStoreError`: `notAStore` where something else is at the path, `formatTooNew`, `corrupted`,
    ///   `inputOutput`.
    public init(
        path: String, format: Format = .xml, lockTimeout: Duration = .seconds(30)
    ) throws(DataStoreError) {
        file = PlistFile(path: try Path.absolute(path), newFormat: format, lockTimeout: lockTimeout)
        do throws(DataStoreError) {
            if path.hasSuffix("/") { throw DataStoreError(.notAStore, "it is the path of a directory, not of a file") }
            _ = try file.records()
        } catch {
            throw error.adding(operation: "open the store", path: path)
        }
    }

    /// Runs a closure on one snapshot of the store.
    public func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        if isClosed.load(ordering: .acquiring) { throw DataStoreError.closed(path: path) }
        let transaction = RecordTreeTransaction(try file.records())
        defer { if transaction.hasMadeIndexes { file.keep(transaction.tree, madeFrom: transaction.old) } }
        return try body(ReadTransaction(native: transaction))
    }

    /// Runs a closure that changes the store, and returns when the file is replaced and synced.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        if isClosed.load(ordering: .acquiring) { throw DataStoreError.closed(path: path) }
        if try !file.exists(), let result = try RecordTreeTransaction.resultWithoutChanges(of: body) { return result }
        return try await queue.submit(body) {
            writer.run { [self] in commit(queue.takeAll()) }
        }
    }

    /// How many times this store has found other contents in the file.
    public func generation() throws -> UInt64 {
        if isClosed.load(ordering: .acquiring) { throw DataStoreError.closed(path: path) }
        return try file.generation()
    }

    /// Begins to wake somebody after commits in a scope. One thread of the process looks for those of other processes,
    /// and for what is changed by hand, while somebody observes.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        try file.observe(scope, wake)
    }

    /// Waits for writes under way and lets go of the file.
    public func close() async {
        isClosed.store(true, ordering: .releasing)
        queue.close()
        await withCheckedContinuation { continuation in
            writer.run { [self] in
                // A write that was accepted may not have woken the queue yet.
                commit(queue.takeAll())
                continuation.resume()
            }
        }
        file.observers.close()
    }

    /// Runs writes one after the other on the newest contents, and replaces the file once for all.
    private func commit(_ jobs: [PendingWrite]) {
        guard !jobs.isEmpty else { return }
        do {
            let failures = try file.withLock { location throws(DataStoreError) in
                var contents = try file.contents(at: location)
                let (changes, failures) = run(jobs, on: &contents.records)
                if let changes { try file.replace(with: contents, at: location, changes) }
                return failures
            }
            // What a closure threw may follow from what others wrote before it, so it is answered only now.
            for (job, failure) in zip(jobs, failures) {
                if let failure { job.fail(with: failure) } else { job.succeed() }
            }
        } catch {
            let error = error.adding(operation: "save", path: path)
            for job in jobs { job.fail(with: error) }
        }
    }

    /// Runs jobs one after the other. Those that fail leave no change.
    ///
    /// - Returns: what the others have changed, if they have, and what each threw.
    private func run(
        _ jobs: [PendingWrite], on records: inout RecordTree
    ) -> (changes: ChangedKeys?, failures: [(any Error)?]) {
        let isObserved = !file.observers.isEmpty
        var changes: ChangedKeys?
        var failures: [(any Error)?] = []
        for job in jobs {
            let transaction = RecordTreeTransaction(records, isObserved: isObserved)
            do {
                try job.run(in: transaction)
                records = transaction.tree
                if transaction.hasChanges {
                    // Who comes meanwhile is told that it may be anything.
                    changes = changes ?? ChangedKeys()
                    changes?.formUnion(transaction.changedKeys ?? .everything)
                }
                failures.append(nil)
            } catch {
                failures.append(error)
            }
        }
        return (changes, failures)
    }
}
