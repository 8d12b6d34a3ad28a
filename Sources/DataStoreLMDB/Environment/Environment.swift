import DataStoreCore

/// An open LMDB environment: its readers and its writer thread.
///
/// ``EnvironmentRegistry`` makes it, and closes it only when both are drained.
final class Environment: Sendable {
    /// Which file holds the data.
    let file: FileSystem.FileID
    private let raw: RawEnvironment
    private let readers = ReaderPool()
    private let writer: WriterThread

    /// Opens the environment in a directory, which is made where there is none.
    init(path: String, maximumByteCount: Int) throws(DataStoreError) {
        do throws(DataStoreError) {
            let isNew = try Environment.prepare(path)
            let raw = try RawEnvironment(path: path, maximumByteCount: maximumByteCount)
            do throws(DataStoreError) {
                file = try Environment.check(raw, at: path, isNew: isNew)
            } catch {
                raw.close()
                throw error
            }
            self.raw = raw
            writer = WriterThread { () throws(DataStoreError) in try Writer(raw) }
        } catch {
            throw error.adding(operation: "open the store", path: path)
        }
    }

    func read<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        let reader = try readers.take { () throws(DataStoreError) in try Reader(raw) }
        defer { readers.give(reader) }
        return try body(ReadTransaction(reader))
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await writer.write(body)
    }

    /// Refuses reads and writes from now on, and calls back when those under way are over.
    func drain(whenDone: @escaping @Sendable () -> Void) {
        readers.close { [writer] in writer.end(whenEnded: whenDone) }
    }

    /// Closes the drained environment.
    func close() { raw.close() }

    // MARK: Opening

    /// Sees to it that there is a directory, and that the data file in it, if any, is one of LMDB: otherwise opening
    /// would already leave a lock file behind.
    ///
    /// - Returns: whether there is no data yet.
    private static func prepare(_ path: String) throws(DataStoreError) -> Bool {
        switch try FileSystem.entry(at: path) {
        case .nothing: try FileSystem.makeDirectory(path)
        case .directory: break
        case .file, .other: throw DataStoreError(.notAStore, "it is not a directory; an LMDB store is one")
        }
        try FileSystem.checkIsLocal(path)
        switch try FileSystem.entry(at: dataFile(path)) {
        case .nothing, .file(_, size: 0): return true
        case .file:
            // The magic number follows the head of the first page: a page number, two small integers, two offsets.
            let offset = MemoryLayout<Int>.size + 8
            let magic = try FileSystem.head(of: dataFile(path), count: offset + 4).dropFirst(offset)
            let expected = (0..<4).map { UInt8(truncatingIfNeeded: UInt32(0xBEEF_C0DE).littleEndian >> (8 * $0)) }
            guard magic.elementsEqual(expected) else {
                throw DataStoreError(.notAStore, "its data.mdb is no LMDB file")
            }
            return false
        case .directory, .other: throw DataStoreError(.notAStore, "its data.mdb is no file")
        }
    }

    private static func check(
        _ raw: RawEnvironment, at path: String, isNew: Bool
    ) throws(DataStoreError) -> FileSystem.FileID {
        raw.clearDeadReaders()
        try Format.check(raw)
        if isNew { try FileSystem.sync(path) }
        guard case .file(let file, _) = try FileSystem.entry(at: dataFile(path)) else {
            throw DataStoreError(.notAStore, "its data.mdb has gone")
        }
        return file
    }

    private static func dataFile(_ path: String) -> String { "\(path)/data.mdb" }
}
