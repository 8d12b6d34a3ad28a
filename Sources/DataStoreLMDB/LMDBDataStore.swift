public import DataStoreCore
import DataStoreFiles
import DataStoreMemory
import Synchronization

/// A store in an LMDB environment: a directory with `data.mdb` and `lock.mdb`.
///
/// Reads run on the calling thread and never wait; writes run on one thread of the store's own and share commits.
/// Several processes, and several stores in one process, may use the same directory at once. Do not copy or read the
/// directory by other means while it is in use.
///
/// Under a key stands one byte of version, a CRC-32C of key and record, and the record as deterministic CBOR (RFC 8949,
/// section 4.2.1). The file system must be a local one.
///
/// liblmdb believes what is in the file: to read or write a damaged one may end the program. ``check(_:)`` finds out
/// what is wrong without it, and ``salvage(_:into:)`` saves what is left.
public final class LMDBDataStore: DataStore {
    /// The directory.
    public let path: String

    private let options: Options
    let readers = ReaderPool()
    private let observers = TransactionObservers()
    /// When a read last compared the open files with those at the path, in milliseconds.
    private let checkedAt = Atomic<Int64>(0)

    /// There is none before there is a data file: the first save makes it, of this store or of another.
    private let environment = Mutex<Environment?>(nil)

    /// Opens the store in a directory. The directory and the files in it are made by the first save.
    ///
    /// - Parameters:
    ///   - path: the directory.
    ///   - options: how to open it.
    /// - Throws: `DataStoreError`: `notAStore` where something else is at the path, `formatTooNew`, `corrupted`,
    ///   `inputOutput`.
    public init(path: String, options: Options = Options()) throws(DataStoreError) {
        // A relative path is one from where the program is now, also when it goes elsewhere.
        self.path = try Path.absolute(path)
        self.options = options
        _ = try opened(create: false)
    }

    deinit {
        // Nobody uses the store any more, so what is open now is all there will be.
        let environment = environment.withLock(\.self)
        release({ environment }, whenDone: {})
    }

    /// Runs a closure on one snapshot of the store, on the calling thread.
    public func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        do {
            let reader = try readers.take { () throws(DataStoreError) in try opened(create: false) }
            guard let reader else { return try body(ReadTransaction(native: RecordTreeTransaction(RecordTree()))) }
            defer { readers.give(reader) }
            try checkFiles()
            return try body(ReadTransaction(native: reader))
        } catch let error as DataStoreError {
            throw error.adding(path: path)
        }
    }

    /// Runs a closure that changes the store on the store's thread, and returns when the change is durable.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        do {
            try readers.enter()
            defer { readers.leave() }
            if let environment = try opened(create: false) { return try await environment.write(body) }
            if let result = try RecordTreeTransaction.resultWithoutChanges(of: body) { return result }
            guard let environment = try opened(create: true) else { throw DataStoreError.closed() }
            return try await environment.write(body)
        } catch let error as DataStoreError {
            throw error.adding(path: path)
        }
    }

    /// The number of the last transaction; 0 where there is no data file yet.
    ///
    /// Where the files were replaced or removed meanwhile it is an error: nobody would ever commit to the ones that are
    /// open.
    public func generation() throws -> UInt64 { try generation(lockTimeout: options.lockTimeout) }

    private func generation(lockTimeout: Duration) throws -> UInt64 {
        do throws(DataStoreError) {
            let reader = try readers.take { () throws(DataStoreError) in
                try opened(create: false, lockTimeout: lockTimeout)
            }
            guard let reader else { return 0 }
            defer { readers.give(reader) }
            try environment.withLock(\.self)?.checkFiles()
            return reader.lastTransaction
        } catch {
            throw error.adding(path: path)
        }
    }

    /// Begins to wake somebody after commits in a scope. One thread of the process looks for those of other processes,
    /// while somebody observes.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        // One thread watches all stores of the process: it must not wait for a store that cannot be opened now.
        try observers.add(scope, wake, of: path) { [self] in try generation(lockTimeout: .zero) }
    }

    /// Waits for reads and writes under way and lets go of the directory.
    public func close() async {
        await withCheckedContinuation { continuation in
            release({ self.environment.withLock { $0.take() } }, whenDone: { continuation.resume() })
        }
    }

    /// Throws an error if the files were replaced or removed. Queries the file system at most ten times a second.
    private func checkFiles() throws(DataStoreError) {
        let now = Clock.milliseconds
        guard now - checkedAt.load(ordering: .relaxed) >= 100 else { return }
        try environment.withLock(\.self)?.checkFiles()
        checkedAt.store(now, ordering: .relaxed)
    }

    /// The environment, opened now where it was not before; nil where there is none and none is to be made.
    func opened(create: Bool, lockTimeout: Duration? = nil) throws(DataStoreError) -> Environment? {
        try environment.withLock { environment throws(DataStoreError) in
            if let environment { return environment }
            do throws(DataStoreError) {
                let found = try Environment.directory(at: path)
                guard let directory = try create ? Directory.creating(path) : found else { return nil }
                var options = options
                if let lockTimeout { options.lockTimeout = lockTimeout }
                environment = try EnvironmentRegistry.shared.open(directory, options, for: readers)
                environment?.tell(observers)
                return environment
            } catch {
                throw error.adding(operation: "open the store", path: path)
            }
        }
    }

    /// Refuses reads and writes from now on, and lets go of the environment when those under way are over.
    private func release(
        _ environment: @escaping @Sendable () -> Environment?, whenDone: @escaping @Sendable () -> Void
    ) {
        let wasOpen = readers.close { [readers, observers] in
            guard let environment = environment() else { return whenDone() }
            environment.tellNoMore(observers)
            EnvironmentRegistry.shared.release(environment, of: readers, whenDone: whenDone)
        }
        if !wasOpen { return whenDone() }
        observers.close()
    }
}
