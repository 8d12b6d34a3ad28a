import DataStoreSystem
import Synchronization

/// An open LMDB environment with its writer thread.
///
/// The ``EnvironmentRegistry`` creates it. The registry closes it after the last store has released it and the writer
/// thread has ended.
final class Environment: OpenedStore {
    let raw: RawEnvironment
    /// The address of the memory map.
    let region: MapRegion
    let files: StoreFiles
    /// The data file, which is read without liblmdb.
    let pages: PageFile
    let commits: GroupCommit
    let writer: WriterThread

    /// Opens the environment in a directory. If the data file or the lock file does not exist, creates it.
    init(_ directory: Directory, _ options: LMDBDataStore.Options) throws(DataStoreError) {
        try Environment.checkPlacement(of: directory)
        // The calling thread may belong to the program. If a write exceeds the file size limit, SIGXFSZ must not
        // terminate the process.
        (raw, region, files, pages) = try Thread.withoutFileSizeSignal { () throws(DataStoreError) in
            var isNew = false
            for _ in 0..<Environment.attemptCount {
                let data = try directory.openOrCreate(StoreFiles.dataName)
                let lock = try StoreFiles.lockForOpening(data, timeout: options.lockTimeout)
                // Another process may have compacted the store while this process waited for the lock.
                guard try directory.status(of: StoreFiles.dataName)?.id == data.status().id else { continue }
                if try PageFile.isNew(data) {
                    try Environment.create(in: directory, lock)
                    isNew = true
                    continue
                }
                do throws(DataStoreError) {
                    let opened = try Environment.open(directory, data, options, lock)
                    lock.release()
                    return opened
                } catch {
                    // If the new data file has no commit, no process has it open. A process that only reads would have
                    // to make the first commit to open it. An empty file counts as a store that was never written to.
                    if isNew, try PageFile(data).metas().candidates.allSatisfy({ $0.transaction == 0 }) {
                        try data.truncate()
                    }
                    throw error
                }
            }
            throw StoreFiles.replaced
        }
        let commits = GroupCommit(raw: raw, files: files, lockTimeout: options.lockTimeout)
        self.commits = commits
        writer = WriterThread(timeout: options.lockTimeout, spinCount: Environment.spinCount) { commits }
    }

    /// Applies the durability and the `report` closure of a store that starts to use the environment. The writer
    /// notifies the observers of the store of each commit from now on.
    func use(
        by pool: ReaderPool, _ observers: TransactionObservers, _ options: LMDBDataStore.Options
    ) throws(DataStoreError) {
        if options.durability == .durable { commits.requireDurability() }
        if let report = options.report {
            commits.maintenance.watch(pool, threshold: options.longReadThreshold, report)
            try writer.start()
            // The thread may sleep until the next write.
            writer.wake()
        }
        commits.observers.withLock { $0.append(observers) }
    }

    /// Begins a read transaction. If the lock file has no free slot, waits up to about two seconds for one, and then
    /// throws `DataStoreError` with the code `full`.
    func beginRead() throws(DataStoreError) -> RawTransaction {
        var pause = 1
        while true {
            do throws(DataStoreError) {
                return try raw.begin(readOnly: true)
            } catch  where error.lmdbCode == LMDBError.readersFull {
                _ = raw.clearDeadReaders()
                for pool in EnvironmentRegistry.shared.pools(of: files.dataID) { pool.endIdleReaders() }
                guard pause <= 1024 else { throw error }
                Thread.sleep(milliseconds: pause)
                pause *= 2
            }
        }
    }

    func check(_ cancellation: Cancellation) throws -> LMDBDataStore.CheckReport {
        let findings = try pages.settledMetas().findings
        let report = Result { () throws(DataStoreError) in
            try read { snapshot in try LMDBDataStore.CheckReport(of: snapshot, findings, cancellation) }
        }
        if case .failure = report, !findings.isEmpty { return LMDBDataStore.CheckReport(findings: findings) }
        return try report.get().get()
    }

    func read<Value, Failure>(
        _ body: (Snapshot) throws(Failure) -> Value
    ) throws(DataStoreError) -> Result<Value, Failure> { try raw.read(pages, body) }

    /// Verifies the pages of the store, because a write to damaged pages could crash liblmdb or overwrite records. In a
    /// store of more than ``verifiablePageCount`` pages, verifies only the free list.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if a page is damaged. `CancellationError` if the
    ///   verification is cancelled.
    func verifyForWriting(_ cancellation: Cancellation) throws {
        let findings = try read { snapshot in
            var walk = SnapshotWalk(snapshot, verifiesRecords: false, cancellation)
            if snapshot.pageCount <= Environment.verifiablePageCount { walk.run() } else { walk.runFreeList() }
            try cancellation.check()
            return try walk.findings + LMDBDataStore.CheckReport.orderFindings(walk)
        }.get()
        // Lost pages only waste space.
        guard let finding = findings.first(where: { $0.kind != .lostPages }) else { return }
        throw DataStoreError.damaged("\(finding)")
    }

    /// The maximum size, in pages, of a store in which ``verifyForWriting(_:)`` verifies every page. This is 64 MiB
    /// for a page size of 4 KiB.
    private static let verifiablePageCount: PageNumber = 1 << 14

    /// How often the writer thread checks for work before it sleeps.
    private static let spinCount = 40

    /// Closes the environment after the writer thread has ended.
    func close() {
        raw.close()
        files.close()
    }

    // MARK: Opening

    /// The maximum number of attempts to open the data file. An attempt fails if a process replaces the file meanwhile.
    private static let attemptCount = 10

    /// Throws `DataStoreError` with the code `unsupportedFileSystem` if a directory is on a network file system, or
    /// `notAStore` if every user may write to the directory.
    static func checkPlacement(of directory: Directory) throws(DataStoreError) {
        if let name = directory.remoteFileSystem {
            throw DataStoreError(
                .unsupportedFileSystem, "LMDB needs a local file system, not \(name); choose a path on a local one",
                path: directory.path)
        }
        try directory.checkPermissions()
    }

    /// Returns the directory of the store at a path, or `nil` if the store was never written to.
    ///
    /// The function does not open the environment, because that would create a lock file.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if something other than a store exists at the path.
    static func directory(at path: String) throws(DataStoreError) -> Directory? {
        guard let directory = try StoreFiles.directory(at: path), let data = try directory.open(StoreFiles.dataName)
        else { return nil }
        return try PageFile.isNew(data) ? nil : directory
    }

    /// Returns the error for a store that this user may read, but not write to.
    static func unwritable(_ error: DataStoreError) -> DataStoreError {
        DataStoreError(
            .inputOutput,
            "this user may read the store but not write to it, and LMDB also needs to write when it reads; grant write "
                + "permission on the directory and its files, or read a backup", path: error.path,
            errno: error.errno, underlying: error)
    }

    /// Replaces an empty or incomplete data file with the file of an empty environment. `lock` is the lock for opening.
    ///
    /// The file gets its name only after its meta pages are durable. Otherwise a power loss could leave incomplete meta
    /// pages, and the store would look damaged.
    private static func create(
        in directory: Directory, _ lock: borrowing FileLock
    ) throws(DataStoreError) {
        try directory.removeTemporaryFiles("creating", for: StoreFiles.dataName)
        let new = try UnfinishedFile(StoreFiles.dataName, in: directory, "creating")
        try RawEnvironment(creating: new.path, mapByteCount: 1 << 20).close()
        try new.finish()
    }

    private static func open(
        _ directory: Directory, _ data: File, _ options: LMDBDataStore.Options, _ lock: borrowing FileLock
    ) throws(DataStoreError) -> (RawEnvironment, MapRegion, StoreFiles, PageFile) {
        // liblmdb does not validate the meta pages, so they are checked first.
        let pages = try PageFile(data)
        try pages.lastSnapshot()
        try prepareLockFile(in: directory)
        let files = try StoreFiles(directory, data: data, lock)
        var opened: RawEnvironment?
        do throws(DataStoreError) {
            let raw = try RawEnvironment(
                path: directory.pathOfDescriptor,
                mapByteCount: options.maximumByteCount ?? Int(clamping: Int64(1) << 40))
            opened = raw
            guard try raw.dataFileID() == files.dataID else { throw StoreFiles.replaced }
            try files.check()
            _ = raw.clearDeadReaders()
            let hasFormat = try raw.read(pages) { snapshot throws(DataStoreError) in try snapshot.isStore() }.get()
            if !hasFormat { try writeFormat(of: raw, directory, lock) }
            return (raw, try raw.mapRegion(pageSize: pages.pageSize), files, pages)
        } catch {
            opened?.close()
            try files.checkForReplacement(in: directory, after: error)
            throw error
        }
    }

    /// Creates the lock file, or verifies that an existing one is a lock file of LMDB. liblmdb itself would overwrite
    /// any file with this name, and follow a symbolic link.
    ///
    /// No environment of this process may have the lock file open, because closing the file here would release the
    /// locks of that environment.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` if the existing file is not a lock file of LMDB or has
    ///   several hard links.
    static func prepareLockFile(in directory: Directory) throws(DataStoreError) {
        if let status = try directory.status(of: StoreFiles.lockName), status.kind == .regular, status.linkCount > 1 {
            throw DataStoreError(
                .notAStore, "lock.mdb has \(status.linkCount) hard links; remove it if no process has the store open",
                path: directory.path)
        }
        let file = try directory.openOrCreate(StoreFiles.lockName)
        let size = try file.status().size
        if size > 0 {
            let beginning = try file.read(at: 0, count: 1 << 16)
            // The first bytes are the magic number in the byte order of the machine (`MDB_MAGIC` in `mdb.c`). A lock
            // file that no process has initialized contains only zeros. After a power loss, later sectors may be on the
            // disk without the first one.
            let isLockFile =
                beginning.starts(with: lockFileMagic)
                || size <= RawEnvironment.lockFileByteCount
                    && beginning.prefix(sectorByteCount).allSatisfy { $0 == 0 }
            guard isLockFile else {
                throw DataStoreError(
                    .notAStore, "lock.mdb is not a lock file of LMDB; move it away", path: directory.path)
            }
        }
        // liblmdb extends the file without allocating disk space. Accessing a page without disk space would terminate
        // the process.
        try file.reserve(byteCount: RawEnvironment.lockFileByteCount)
    }

    /// The size of a disk sector in bytes. A disk writes a sector completely or not at all.
    private static let sectorByteCount = 512

    /// The first bytes of a lock file.
    // The array copies the bytes of the number, which is in the byte order of the machine.
    private static let lockFileMagic = unsafe withUnsafeBytes(of: 0xBEEF_C0DE as UInt32) { unsafe Array($0) }
}
