import DataStoreCore
import DataStoreFiles
import Synchronization

/// An open LMDB environment with its writer thread.
///
/// ``EnvironmentRegistry`` makes it, and closes it when no store has a reader of it any more and the thread has ended.
final class Environment: Sendable {
    let map: MemoryMap
    /// The directory.
    let path: String
    /// The data file, read by plain calls; nil when it is closed.
    private let pages: Mutex<PageFile?>
    private let writer: WriterThread

    /// Opens the environment in a directory, which is made where there is none.
    init(path: String, _ options: LMDBDataStore.Options) throws(DataStoreError) {
        if try !Environment.exists(at: path) { try FileSystem.makeDirectory(path) }
        try FileSystem.checkIsLocal(path)
        let (map, files, pages) = try FileSystem.locking(path) { () throws(DataStoreError) in
            let isNew = try !Environment.exists(at: path)
            // A file that was not made to the end would be refused for ever. Nobody else has it: the directory is locked.
            if isNew { FileSystem.empty(Environment.dataFile(path)) }
            do throws(DataStoreError) {
                return try Environment.open(path, options, isNew: isNew)
            } catch {
                if isNew { FileSystem.empty(Environment.dataFile(path)) }
                throw error
            }
        }
        self.map = map
        self.path = path
        self.pages = Mutex(pages)
        writer = WriterThread(GroupCommit(map: map, files: files), Maintenance(map: map))
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

    /// Sees to it that the files at the path are still the ones that are open.
    func checkFiles() throws(DataStoreError) { try writer.commits.files.check() }

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
    }

    // MARK: Opening

    /// Whether there is a data file in a directory.
    ///
    /// - Throws: `DataStoreError` with the code `notAStore` where there is something else. To find out by opening it would
    ///   leave a lock file behind.
    static func exists(at path: String) throws(DataStoreError) -> Bool {
        switch try FileSystem.entry(at: path) {
        case .nothing: return false
        case .directory: break
        case .file, .other: throw DataStoreError(.notAStore, "it is not a directory; an LMDB store is one")
        }
        switch try FileSystem.entry(at: dataFile(path)) {
        case .nothing, .file(_, size: 0): return false
        case .file(_, let size): return try !PageFile(path: dataFile(path)).isHalfMade(byteCount: size)
        case .directory, .other: throw DataStoreError(.notAStore, "its data.mdb is no file")
        }
    }

    private static func open(
        _ path: String, _ options: LMDBDataStore.Options, isNew: Bool
    ) throws(DataStoreError) -> (MemoryMap, StoreFiles, PageFile) {
        let maximum = options.maximumByteCount ?? .max
        var byteCount = min(options.initialMapByteCount, maximum)
        for _ in 0..<Int.bitWidth {
            do throws(DataStoreError) {
                return try open(path, options, mapByteCount: byteCount, isNew: isNew)
            } catch  where error.isMapResized {
                // Another process has grown the data since they were mapped a moment ago.
                if case .file(_, let size) = try FileSystem.entry(at: dataFile(path)) {
                    byteCount = max(byteCount, Int(size))
                }
                let (doubled, isBeyond) = byteCount.multipliedReportingOverflow(by: 2)
                byteCount = isBeyond ? maximum : min(doubled, maximum)
            }
        }
        return try open(path, options, mapByteCount: byteCount, isNew: isNew)
    }

    private static func open(
        _ path: String, _ options: LMDBDataStore.Options, mapByteCount: Int, isNew: Bool
    ) throws(DataStoreError) -> (MemoryMap, StoreFiles, PageFile) {
        // The library believes what the meta pages say.
        let existing = isNew ? nil : try PageFile(path: dataFile(path))
        try existing?.checkMetas()
        try FileSystem.reserve(lockFile(path), byteCount: RawEnvironment.lockFileByteCount)
        let raw = try RawEnvironment(path: path, mapByteCount: mapByteCount)
        do throws(DataStoreError) {
            _ = raw.clearDeadReaders()
            let pages = if let existing { existing } else { try PageFile(path: dataFile(path)) }
            try raw.withSnapshot(of: pages) { snapshot throws(DataStoreError) in try snapshot.checkIsWhole() }
            try Format.check(raw, in: pages)
            if isNew { try FileSystem.sync(path) }
            let files = try StoreFiles(path)
            return (MemoryMap(raw, file: files.data, maximumByteCount: options.maximumByteCount), files, pages)
        } catch {
            raw.close()
            throw error
        }
    }

    static func dataFile(_ path: String) -> String { "\(path)/data.mdb" }
    static func lockFile(_ path: String) -> String { "\(path)/lock.mdb" }
}
