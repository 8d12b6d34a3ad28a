import DataStoreCore
import DataStoreFiles

/// The replacement of a data file by a copy without free pages. No environment of this process has the file open.
///
/// A process that still used the old file would write to a file without a name. Two locks exclude that: the lock that
/// every process of this library holds while it opens the environment, and the lock of liblmdb on the first byte of
/// `lock.mdb`, which every process holds as long as it has the environment open.
struct Compaction {
    /// The kind of the temporary file in its name.
    private static let temporaryKind = "compacting"

    private let directory: Directory

    init(_ directory: Directory) { self.directory = directory }

    func run(lockTimeout: Duration, _ cancellation: Cancellation) throws {
        guard let data = try directory.open(StoreFiles.dataName, .readAndWrite) else { throw StoreFiles.replaced }
        let opening = try StoreFiles.lockForOpening(data, timeout: lockTimeout)
        let status = try data.status()
        guard try directory.status(of: StoreFiles.dataName)?.id == status.id else { throw StoreFiles.replaced }
        guard status.linkCount == 1 else {
            throw DataStoreError(
                .notAStore, "data.mdb has \(status.linkCount) names, and only one would be replaced; remove the others")
        }
        try Environment.prepareLockFile(in: directory)
        let lockFile = try directory.openOrCreate(StoreFiles.lockName)
        let exclusive = try lockExclusively(lockFile)
        // A process that uses another lock file has locked a byte of the data file.
        guard try !data.isLocked(StoreFiles.bytesOfUse) else { throw Self.inUse() }
        for leftover in try directory.temporaryNames(for: StoreFiles.dataName, Self.temporaryKind) {
            directory.remove(leftover)
        }
        try replace(data, status, lockFile, cancellation)
        // In this order: a process that waits for the other lock would find the lock file empty, but locked.
        exclusive.release()
        opening.release()
    }

    private func lockExclusively(_ lockFile: File) throws(DataStoreError) -> FileLock {
        do throws(DataStoreError) {
            return try FileLock(lockFile, byte: 0, timeout: .zero) { 0 }
        } catch {
            throw error.code == .busy ? Self.inUse() : error
        }
    }

    private static func inUse() -> DataStoreError {
        DataStoreError(.busy, "another program has the store open; close it and retry")
    }

    /// Copies the data file, checks the copy and renames it.
    private func replace(
        _ data: File, _ status: FileStatus, _ lockFile: File, _ cancellation: Cancellation
    ) throws {
        // liblmdb would copy damage, or crash on it.
        let report = try PageFile(data).check(cancellation)
        if let finding = report.findings.first {
            throw DataStoreError.damaged("\(finding)")
        }
        let (temporary, copy) = try directory.createTemporary(for: StoreFiles.dataName, Self.temporaryKind)
        do {
            try copyPages(of: status.id, to: copy)
            try copy.setPermissions(like: status)
            try copy.sync()
            let copied = try PageFile(copy).check(cancellation)
            guard copied.isClean, copied.recordCount == report.recordCount else {
                throw DataStoreError(.corrupted, "the copy differs from the store, which is left unchanged")
            }
            // The lock file contains the number of the last transaction, and the numbers of the copy begin anew. The
            // next process initializes an empty lock file.
            try lockFile.truncate()
            try directory.rename(temporary, to: StoreFiles.dataName)
        } catch {
            directory.remove(temporary)
            throw error
        }
        try directory.sync()
    }

    private func copyPages(of id: FileID, to copy: File) throws(DataStoreError) {
        let raw = try RawEnvironment(unshared: directory.pathOfDescriptor)
        defer { raw.close() }
        guard try raw.dataFileID() == id else { throw StoreFiles.replaced }
        try raw.copy(to: copy.descriptor)
    }
}
