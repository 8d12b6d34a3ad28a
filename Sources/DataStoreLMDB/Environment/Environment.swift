import DataStoreCore
import DataStoreFiles
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open LMDB environment with its writer thread.
///
/// ``EnvironmentRegistry`` makes it, and closes it when no store has a reader of it any more and the thread has ended.
final class Environment: Sendable {
    let map: MemoryMap
    let files: StoreFiles
    /// The data file, read by plain calls; `nil` when the environment is closed.
    private let pages: Mutex<PageFile?>
    private let writer: WriterThread

    /// Opens the environment in a directory.
    init(_ directory: Directory, _ options: LMDBDataStore.Options) throws(DataStoreError) {
        if let name = directory.remoteFileSystem {
            throw DataStoreError(
                .unsupportedFileSystem, "it is on \(name), and LMDB needs a local file system; move it to one",
                path: directory.path)
        }
        guard try !directory.status().isWritableByEveryone else {
            throw DataStoreError(
                .notAStore, "every user may write to the directory, and could replace the files; run chmod o-w on it",
                path: directory.path)
        }
        // The thread that opens a store may belong to the program: a limit of the file size must not end the process
        // here.
        let (map, files, pages) = try SignalMask.withoutFileSizeSignal { () throws(DataStoreError) in
            let data = try directory.openOrCreate(StoreFiles.dataName)
            let lock = try StoreFiles.lockForOpening(data, timeout: options.lockTimeout)
            let isNew = try Environment.isNew(data)
            do throws(DataStoreError) {
                // A file that was not created completely would be rejected for ever.
                if isNew { try data.truncate() }
                let opened = try Environment.open(directory, data, options, isNew: isNew)
                lock.release()
                return opened
            } catch {
                if isNew { try data.truncate() }
                throw error
            }
        }
        self.map = map
        self.files = files
        self.pages = Mutex(pages)
        writer = WriterThread(
            GroupCommit(map: map, files: files, lockTimeout: options.lockTimeout), Maintenance(map: map))
    }

    /// Takes the wishes of a store that uses it from now on.
    func use(by pool: ReaderPool, _ options: LMDBDataStore.Options) throws(DataStoreError) {
        if options.durability == .durable { writer.commits.requireDurability() }
        if let report = options.report {
            writer.maintenance.watch(pool, threshold: options.longReadThreshold, report)
            try writer.start()
            // It may sleep until there is something to write.
            writer.wake()
        }
    }

    /// Checks the last transaction, for the store of a pool.
    func check(by readers: ReaderPool, _ cancellation: Cancellation) throws -> LMDBDataStore.CheckReport {
        guard let pages = pages.withLock(\.self) else { throw DataStoreError.closed() }
        let findings = try pages.settledMetas().findings
        // Only beginning needs the map: it may move while the pages are read.
        let begun = Result { () throws(DataStoreError) in
            try readers.withMap(of: self) { () throws(DataStoreError) in try map.raw.beginSnapshot(of: pages) }
        }
        if case .failure = begun, !findings.isEmpty {
            return LMDBDataStore.CheckReport(findings: findings)
        }
        let (transaction, snapshot) = try begun.get()
        defer { transaction.abort() }
        return try LMDBDataStore.CheckReport(of: snapshot, findings, cancellation)
    }

    /// Tells those who observe a store of commits from now on.
    func tell(_ observers: TransactionObservers) { writer.commits.observers.withLock { $0.append(observers) } }

    /// Tells them no longer.
    func tellNoMore(_ observers: TransactionObservers) {
        writer.commits.observers.withLock { $0.removeAll { $0 === observers } }
    }

    /// Throws an error if the files at the path are no longer those that are open.
    func checkFiles() throws(DataStoreError) { try files.check() }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await writer.write(body)
    }

    /// Refuses writes from now on, and calls back when those under way are over.
    func drain(whenDone: @escaping @Sendable () -> Void) { writer.end(whenEnded: whenDone) }

    /// Closes the drained environment.
    func close() {
        pages.withLock { $0 = nil }
        map.raw.close()
        files.close()
    }

    // MARK: Opening

    /// Returns the directory at a path if a data file is in it, or `nil` if the store was never written to.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if something else is there. To find out by opening the
    ///   environment would leave a lock file behind.
    static func directory(at path: String) throws(DataStoreError) -> Directory? {
        let found: Directory?
        do throws(DataStoreError) {
            found = try Directory.ifExists(path)
        } catch {
            guard error.errno == ENOTDIR, try FileStatus.of(path: path) != nil else { throw error }
            throw DataStoreError(.notAStore, "it is not a directory; an LMDB store is a directory", underlying: error)
        }
        guard let directory = found, let status = try directory.status(of: StoreFiles.dataName) else { return nil }
        guard status.kind == .regular else {
            throw DataStoreError(
                .notAStore,
                status.kind == .link
                    ? "its data.mdb is a symbolic link, which is not followed" : "its data.mdb is not a regular file")
        }
        if status.size == 0 { return nil }
        guard let data = try directory.open(StoreFiles.dataName, .read) else { return nil }
        return try PageFile(data).isHalfMade() ? nil : directory
    }

    /// Whether a data file was just created, or by a process that was killed before it was complete.
    private static func isNew(_ data: File) throws(DataStoreError) -> Bool {
        if try data.status().size == 0 { return true }
        return try PageFile(data).isHalfMade()
    }

    private static func open(
        _ directory: Directory, _ data: File, _ options: LMDBDataStore.Options, isNew: Bool
    ) throws(DataStoreError) -> (MemoryMap, StoreFiles, PageFile) {
        let maximum = options.maximumByteCount ?? .max
        var byteCount = min(options.initialMapByteCount, maximum)
        for _ in 0..<Int.bitWidth {
            do throws(DataStoreError) {
                return try open(directory, data, options, mapByteCount: byteCount, isNew: isNew)
            } catch  where error.isMapResized {
                // Another process has grown the data since they were mapped a moment ago.
                byteCount = max(byteCount, Int(try data.status().size))
                let (doubled, isBeyond) = byteCount.multipliedReportingOverflow(by: 2)
                byteCount = isBeyond ? maximum : min(doubled, maximum)
            }
        }
        return try open(directory, data, options, mapByteCount: byteCount, isNew: isNew)
    }

    private static func open(
        _ directory: Directory, _ data: File, _ options: LMDBDataStore.Options, mapByteCount: Int, isNew: Bool
    ) throws(DataStoreError) -> (MemoryMap, StoreFiles, PageFile) {
        // liblmdb trusts the meta pages.
        if !isNew { try PageFile(data).checkMetas() }
        try prepareLockFile(in: directory)
        let raw = try RawEnvironment(path: directory.pathOfDescriptor, mapByteCount: mapByteCount)
        do throws(DataStoreError) {
            let files = try StoreFiles(directory, data: data)
            guard try raw.dataFileID() == files.dataID else { throw StoreFiles.replaced }
            _ = raw.clearDeadReaders()
            let pages = try PageFile(data)
            try raw.withSnapshot(of: pages) { snapshot throws(DataStoreError) in try snapshot.checkIsWhole() }
            try StoreFormat.check(raw, in: pages, files, timeout: options.lockTimeout)
            if isNew { try directory.sync() }
            return (MemoryMap(raw, file: files.dataID, maximumByteCount: options.maximumByteCount), files, pages)
        } catch {
            raw.close()
            throw error
        }
    }

    /// Creates the lock file, or makes sure that the one that exists is a lock file of LMDB. liblmdb overwrites
    /// whatever has the name, and follows a link.
    ///
    /// No environment of this process has the lock file open: closing it here would release the locks of liblmdb.
    private static func prepareLockFile(in directory: Directory) throws(DataStoreError) {
        if let status = try directory.status(of: StoreFiles.lockName), status.kind == .regular, status.linkCount > 1 {
            throw DataStoreError(
                .notAStore, "its lock.mdb has \(status.linkCount) names; remove it if no process has the store open",
                path: directory.path)
        }
        let file = try directory.openOrCreate(StoreFiles.lockName)
        let size = try file.status().size
        if size > 0 {
            let beginning = try file.read(at: 0, count: 1 << 16)
            // The magic number in the order of the machine's bytes (`MDB_MAGIC` in `mdb.c`). Before a process has
            // initialized it, the file is zeros.
            let isLockFile =
                beginning.starts(with: LockFile.magic)
                || size <= RawEnvironment.lockFileByteCount && beginning.allSatisfy { $0 == 0 }
            guard isLockFile else {
                throw DataStoreError(
                    .notAStore, "its lock.mdb is not a lock file of LMDB; move it away", path: directory.path)
            }
        }
        // liblmdb extends the file without allocating, and touching a page without space would end the process.
        try file.reserve(byteCount: RawEnvironment.lockFileByteCount)
    }

    /// What liblmdb writes into lock files.
    private enum LockFile {
        static let magic = (0..<4).map { index in
            let shift = UInt32(8 * (UInt32(1).littleEndian == 1 ? index : 3 - index))
            return UInt8(truncatingIfNeeded: 0xBEEF_C0DE as UInt32 >> shift)
        }
    }
}
