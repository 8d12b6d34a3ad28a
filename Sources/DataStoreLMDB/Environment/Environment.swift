import DataStoreCore

/// An open LMDB environment with its writer thread.
///
/// ``EnvironmentRegistry`` makes it, and closes it when no store has a reader of it any more and the thread has ended.
final class Environment: Sendable {
    /// Which file holds the data.
    let file: FileSystem.FileID
    private let raw: RawEnvironment
    private let pages: PageFile
    private let writer: WriterThread

    /// Opens the environment in a directory, which is made where there is none.
    init(path: String, maximumByteCount: Int) throws(DataStoreError) {
        if try !Environment.exists(at: path) { try FileSystem.makeDirectory(path) }
        try FileSystem.checkIsLocal(path)
        (raw, pages) = try FileSystem.locking(path) { () throws(DataStoreError) in
            let isNew = try !Environment.exists(at: path)
            do throws(DataStoreError) {
                return try Environment.open(path, maximumByteCount: maximumByteCount, isNew: isNew)
            } catch {
                // Half a data file would be refused for ever. Nobody else has it: the directory is locked.
                if isNew { FileSystem.empty(Environment.dataFile(path)) }
                throw error
            }
        }
        file = try pages.id()
        writer = WriterThread { [raw] () throws(DataStoreError) in try Writer(raw) }
    }

    /// Makes a reader; it must be gone before the environment closes.
    func makeReader() throws(DataStoreError) -> Reader { try Reader(raw) }

    /// The number of the last transaction that was committed, by whichever process.
    func lastTransaction() throws(DataStoreError) -> UInt64 { try raw.lastTransaction() }

    /// Checks the last transaction.
    func check(_ cancellation: Cancellation) throws -> LMDBCheckReport {
        let findings = try pages.metaFindings()
        do {
            return try raw.withSnapshot(of: pages) { snapshot throws(DataStoreError) in
                Result { try LMDBCheckReport(of: snapshot, findings, cancellation) }
            }.get()
        } catch let error as DataStoreError where error.code == .corrupted && !findings.isEmpty {
            return LMDBCheckReport(findings: findings)
        }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await writer.write(body)
    }

    /// Refuses writes from now on, and calls back when those under way are over.
    func drain(whenDone: @escaping @Sendable () -> Void) { writer.end(whenEnded: whenDone) }

    /// Closes the drained environment.
    func close() { raw.close() }

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
            _ = try PageFile(path: dataFile(path))
            return true
        case .directory, .other: throw DataStoreError(.notAStore, "its data.mdb is no file")
        }
    }

    private static func open(
        _ path: String, maximumByteCount: Int, isNew: Bool
    ) throws(DataStoreError) -> (RawEnvironment, PageFile) {
        // The library believes what the meta pages say.
        if !isNew { try PageFile(path: dataFile(path)).checkMetas() }
        try FileSystem.reserve("\(path)/lock.mdb", byteCount: RawEnvironment.lockFileByteCount)
        let raw = try RawEnvironment(path: path, maximumByteCount: maximumByteCount)
        do throws(DataStoreError) {
            raw.clearDeadReaders()
            let pages = try PageFile(path: dataFile(path))
            try raw.withSnapshot(of: pages) { snapshot throws(DataStoreError) in try snapshot.checkIsWhole() }
            try Format.check(raw, in: pages)
            if isNew { try FileSystem.sync(path) }
            return (raw, pages)
        } catch {
            raw.close()
            throw error
        }
    }

    private static func dataFile(_ path: String) -> String { "\(path)/data.mdb" }
}
