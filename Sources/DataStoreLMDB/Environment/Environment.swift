import DataStoreCore

/// An open LMDB environment with its writer thread.
///
/// ``EnvironmentRegistry`` makes it, and closes it when no store has a reader of it any more and the thread has ended.
final class Environment: Sendable {
    let map: MemoryMap
    /// The directory.
    let path: String
    private let writer: WriterThread

    /// Opens the environment in a directory, which is made where there is none.
    init(path: String, _ options: LMDBDataStore.Options) throws(DataStoreError) {
        if try !Environment.exists(at: path) { try FileSystem.makeDirectory(path) }
        try FileSystem.checkIsLocal(path)
        let (map, files) = try FileSystem.locking(path) { () throws(DataStoreError) in
            let isNew = try !Environment.exists(at: path)
            do throws(DataStoreError) {
                return try Environment.open(path, options, isNew: isNew)
            } catch {
                // Half a data file would be refused for ever. Nobody else has it: the directory is locked.
                if isNew { FileSystem.empty(Environment.dataFile(path)) }
                throw error
            }
        }
        self.map = map
        self.path = path
        writer = WriterThread(GroupCommit(map: map, files: files), Maintenance(map: map))
    }

    /// Takes the wishes of a store that uses it from now on.
    func use(by pool: ReaderPool, _ options: LMDBDataStore.Options) throws(DataStoreError) {
        if options.durability == .durable { writer.commits.requireDurability() }
        if let report = options.report {
            writer.maintenance.watch(pool, threshold: options.longReadThreshold, report)
            try writer.start()
        }
    }

    /// The number of the last transaction that was committed, by whichever process. The map must stay as it is.
    func lastTransaction() throws(DataStoreError) -> UInt64 { try map.raw.lastTransaction() }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await writer.write(body)
    }

    /// Refuses writes from now on, and calls back when those under way are over.
    func drain(whenDone: @escaping @Sendable () -> Void) { writer.end(whenEnded: whenDone) }

    /// Closes the drained environment.
    func close() { map.raw.close() }

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
        case .file:
            // The magic number follows the head of the first page: a page number, two small integers, two offsets.
            let offset = MemoryLayout<Int>.size + 8
            let magic = try FileSystem.read(dataFile(path), at: offset, count: 4)
            let expected = (0..<4).map { UInt8(truncatingIfNeeded: UInt32(0xBEEF_C0DE).littleEndian >> (8 * $0)) }
            guard magic.elementsEqual(expected) else {
                throw DataStoreError(.notAStore, "its data.mdb is no LMDB file")
            }
            return true
        case .directory, .other: throw DataStoreError(.notAStore, "its data.mdb is no file")
        }
    }

    private static func open(
        _ path: String, _ options: LMDBDataStore.Options, isNew: Bool
    ) throws(DataStoreError) -> (MemoryMap, StoreFiles) {
        try FileSystem.reserve(lockFile(path), byteCount: RawEnvironment.lockFileByteCount)
        let raw = try RawEnvironment(
            path: path, mapByteCount: min(options.initialMapByteCount, options.maximumByteCount ?? .max))
        do throws(DataStoreError) {
            _ = raw.clearDeadReaders()
            try checkIsWhole(raw, at: path)
            try Format.check(raw)
            if isNew { try FileSystem.sync(path) }
            let files = try StoreFiles(path)
            return (MemoryMap(raw, file: files.data, maximumByteCount: options.maximumByteCount), files)
        } catch {
            raw.close()
            throw error
        }
    }

    /// Sees to it that the data file was not cut off.
    private static func checkIsWhole(_ raw: RawEnvironment, at path: String) throws(DataStoreError) {
        guard MemoryLayout<Int>.size == 8 else { return }
        // While this reads, no page that the walk may come to is used for something else.
        let transaction = try raw.begin(readOnly: true)
        defer { transaction.abort() }
        let (pageSize, pageCount) = try raw.extent()
        guard case .file(_, let byteCount) = try FileSystem.entry(at: dataFile(path)),
            byteCount < pageCount * pageSize
        else { return }
        var walk = PageWalk(path: dataFile(path), pageSize: pageSize, byteCount: byteCount)
        try walk.check()
    }

    static func dataFile(_ path: String) -> String { "\(path)/data.mdb" }
    static func lockFile(_ path: String) -> String { "\(path)/lock.mdb" }
}
