// The declarations of this target use this module. Its re-export serves the files here and the programs that import
// the target.
@_exported public import DataStoreCore
import DataStoreSystem
import Synchronization

/// A data store in an LMDB environment: a directory with the files `data.mdb` and `lock.mdb`.
///
/// ```swift
/// let store = try LMDBDataStore(path: "/var/lib/my-program/profiles")
/// try await store.write { try $0.put(["mailAddress": .string("vision@example.com")], for: key) }
/// ```
///
/// Reads run on the calling thread and do not wait for writes. Writes run on a dedicated thread, which commits pending
/// writes together. Several processes, and several stores in one process, can use the same directory at once. The
/// directory must be on a local file system. While a process uses the directory, do not copy it, and do not open its
/// files by other means.
///
/// The value of a key consists of a version byte, a CRC-32C of key and record, and the record as deterministic CBOR
/// (RFC 8949, section 4.2.1).
///
/// liblmdb does not validate the pages of its file, so a damaged file may crash the process unless the option
/// `verifiesPages` is set. ``check(_:)`` inspects a store without liblmdb, and ``salvage(_:into:)`` copies the intact
/// records of a damaged store.
public final class LMDBDataStore: DataStore, ImmediateDataStore, HidesRecords {
    /// The absolute path of the store's directory.
    public let path: String

    let options: Options
    let readers = ReaderPool()
    private let observers = TransactionObservers()
    /// The time at which a read last compared the open files with the files at the path, as a value of
    /// `ContinuousClock.coarseMilliseconds`. It is 0 before the first comparison.
    private let checkedAt = Atomic<Int64>(0)

    /// Whether the pages have been verified for writing, which happens before the first write if `verifiesPages` is
    /// set.
    private let isVerified = Atomic(false)

    /// The open environment. It is `nil` until a write through this or another store has created the data file, and
    /// after this store is closed.
    private let environment = Mutex<Environment?>(nil)

    /// Opens the store in a directory. The first write creates the directory and its files.
    ///
    /// - Parameters:
    ///   - path: The directory of the store.
    ///   - options: The options of the store.
    /// - Throws: `DataStoreError` with one of these codes:
    ///   - `notAStore` if something other than a store exists at the path.
    ///   - `unsupportedFormat` if a newer program wrote the store.
    ///   - `corrupted` if the store is damaged.
    ///   - `inputOutput` if the store cannot be opened.
    public init(path: String, options: Options = Options()) throws(DataStoreError) {
        // A relative path is resolved now, so that a later change of the working directory has no effect.
        self.path = try Path.absolute(path)
        self.options = options
        if let store = try openedForReading() as? ReadOnlyStore {
            do throws(DataStoreError) {
                _ = try store.read { _ in }
            } catch {
                throw error.ofStore("open the store", path: self.path)
            }
        }
    }

    deinit {
        // No caller uses the store any more, so no other environment can be opened.
        let environment = environment.withLock(\.self)
        release({ environment }, whenDone: {})
    }

    /// Runs a closure on one snapshot of the store, on the calling thread, and returns the result of the closure. If
    /// nothing has been saved yet, the snapshot is empty.
    ///
    /// On a read-only file system, the closure runs again if another program changes the store meanwhile.
    public func read<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        do {
            do {
                guard let reader = try readers.acquire(for: self) else {
                    return try body(ReadTransaction(RecordTreeTransaction(RecordTree())))
                }
                defer { readers.release(reader) }
                // The file system is queried at most ten times a second.
                let now = ContinuousClock.coarseMilliseconds
                if now - checkedAt.load(ordering: .relaxed) >= 100 {
                    try checkFiles()
                    checkedAt.store(now, ordering: .relaxed)
                }
                return try body(ReadTransaction(reader))
            } catch let error as DataStoreError where error.isReadOnlyFileSystem && !isOpen {
                return try readWithoutLock(body)
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "read the store", path: path)
        }
    }

    // It is not inlined, because it looks up types that no other read needs.
    @inline(never)
    private func readWithoutLock<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try readOnly().read { snapshot in try body(ReadTransaction(Reader(snapshot))) }.get()
    }

    private var isOpen: Bool { environment.withLock { $0 != nil } }

    /// Runs a closure that changes the store on the writer thread, and returns its result after the commit. The option
    /// `durability` determines which failures the change survives.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await DataStoreError.adding(operation: "write to the store", path: path) {
            try readers.beginUse()
            defer { readers.endUse() }
            var opened = try opened(create: false)
            if opened == nil {
                // The store is created only if the closure changes a record.
                if let result = try RecordTreeTransaction.resultWithoutChanges(of: body) { return result }
                opened = try self.opened(create: true)
            }
            guard let environment = opened else { throw DataStoreError.closed() }
            // Once is enough, because afterwards only liblmdb changes the pages.
            if options.verifiesPages, !isVerified.load(ordering: .relaxed) {
                try await Thread.run { try environment.verifyForWriting($0) }
                isVerified.store(true, ordering: .relaxed)
            }
            return try await environment.writer.write(body)
        }
    }

    /// Returns the number of the last transaction, or 0 if the data file does not exist yet.
    ///
    /// - Throws: `DataStoreError` with the code `inputOutput` if the data file or the lock file was removed or
    ///   replaced, because then no process commits to the open file.
    public func generation() throws -> UInt64 { try generation(lockTimeout: options.lockTimeout) }

    private func generation(lockTimeout: Duration) throws -> UInt64 {
        do throws(DataStoreError) {
            let reader: Reader?
            do throws(DataStoreError) {
                reader = try readers.acquire(for: self, lockTimeout: lockTimeout)
            } catch  where error.isReadOnlyFileSystem {
                return UInt64(try readOnly().lastTransaction())
            }
            guard let reader else { return 0 }
            defer { readers.release(reader) }
            try checkFiles()
            return reader.lastTransaction
        } catch {
            throw error.adding(operation: "read the store", path: path)
        }
    }

    /// Calls `wake` after each commit that may have changed a record in the scope. While observers exist, one thread of
    /// the process detects commits of other processes.
    ///
    /// - Returns: The observation, which ends when its last reference is released.
    /// - Throws: `DataStoreError` if that thread cannot be started.
    public func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        // One thread watches all stores of the process. It must not wait for a store that cannot be opened at the
        // moment.
        try observers.add(scope, wake, of: path) { [self] in try generation(lockTimeout: .zero) }
    }

    /// Waits for pending reads and writes, and closes the store.
    public func close() async {
        await withCheckedContinuation { continuation in
            release({ self.environment.withLock { $0.take() } }, whenDone: { continuation.resume() })
        }
    }

    /// Throws `DataStoreError` with the code `inputOutput` if the data file or the lock file was removed or replaced.
    func checkFiles() throws(DataStoreError) { try environment.withLock(\.self)?.files.check() }

    /// Opens the store for reading, also on a read-only file system. Returns `nil` if no data file exists.
    func openedForReading() throws(DataStoreError) -> (any OpenedStore)? {
        do throws(DataStoreError) {
            return try opened(create: false)
        } catch  where error.isReadOnlyFileSystem {
            return try readOnly()
        }
    }

    private func readOnly() throws(DataStoreError) -> ReadOnlyStore {
        try ReadOnlyStore(path, timeout: options.lockTimeout)
    }

    /// Returns the environment, and opens it if necessary. Returns `nil` if no data file exists and `create` is
    /// `false`.
    func opened(create: Bool, lockTimeout: Duration? = nil) throws(DataStoreError) -> Environment? {
        try environment.withLock { environment throws(DataStoreError) in
            if let environment { return environment }
            var found: Directory?
            do throws(DataStoreError) {
                found = try Environment.directory(at: path)
                guard let directory = try create ? Directory.creating(path) : found else { return nil }
                var options = options
                if let lockTimeout { options.lockTimeout = lockTimeout }
                let opened = try EnvironmentRegistry.shared.open(directory, options, for: readers)
                do throws(DataStoreError) {
                    try opened.use(by: readers, observers, options)
                } catch {
                    EnvironmentRegistry.shared.release(opened, of: readers, whenDone: {})
                    throw error
                }
                environment = opened
                return opened
            } catch {
                // The data file could be read, so only writing is forbidden.
                let isForbidden = error.errno == EACCES && found != nil
                throw (isForbidden ? Environment.unwritable(error) : error).ofStore("open the store", path: path)
            }
        }
    }

    /// Rejects reads and writes from now on, and releases the environment after pending ones finish.
    private func release(
        _ environment: @escaping @Sendable () -> Environment?, whenDone: @escaping @Sendable () -> Void
    ) {
        let wasOpen = readers.close { [readers, observers] in
            guard let environment = environment() else { return whenDone() }
            environment.commits.observers.withLock { $0.removeAll { $0 === observers } }
            EnvironmentRegistry.shared.release(environment, of: readers, whenDone: whenDone)
        }
        if !wasOpen { return whenDone() }
        observers.close()
    }
}
