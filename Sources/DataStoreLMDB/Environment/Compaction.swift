import DataStoreCore
import DataStoreSystem

/// The replacement of a store's data file with a copy without free pages.
///
/// No process may have the environment open, because it would continue to write to the replaced file. The replacement
/// therefore holds two locks. A process needs the first one, on `data.mdb`, to open the environment. liblmdb holds the
/// second one, on the first byte of `lock.mdb`, while a process has the environment open.
struct Compaction {
    /// The kind of the temporary file, which is part of its name `.data.mdb.compacting-…`.
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
                .notAStore, "data.mdb has \(status.linkCount) hard links; remove the others")
        }
        try Environment.prepareLockFile(in: directory)
        let lockFile = try directory.openOrCreate(StoreFiles.lockName)
        let exclusive = try lockExclusively(lockFile)
        // A process that uses another lock file has locked a byte of the data file.
        guard try !data.isLocked(StoreFiles.bytesOfUse) else { throw Self.inUse() }
        for leftover in try directory.temporaryNames(for: StoreFiles.dataName, Self.temporaryKind) {
            directory.remove(leftover)
        }
        try replace(data, status, lockFile, exclusive, cancellation)
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

    /// Copies the data file, checks the copy, renames it over the data file, and then releases the lock on the lock
    /// file.
    private func replace(
        _ data: File, _ status: FileStatus, _ lockFile: File, _ exclusive: consuming FileLock,
        _ cancellation: Cancellation
    ) throws {
        // The data file is checked first, because liblmdb would copy damaged pages, or crash when it reads them.
        let report = try PageFile(data).check(cancellation)
        if let finding = report.findings.first {
            throw DataStoreError.damaged("\(finding)")
        }
        let (temporary, copy) = try directory.createTemporary(for: StoreFiles.dataName, Self.temporaryKind)
        // A process that finds the new data file must not open it before the lock file is released. It would find the
        // lock file empty, but locked.
        let openingCopy = try StoreFiles.lockForOpening(copy, timeout: .zero)
        do {
            try copyPages(of: status.id, to: copy)
            try copy.setPermissions(like: data)
            try copy.sync()
            let copied = try PageFile(copy).check(cancellation)
            guard copied.isClean, copied.recordCount == report.recordCount else {
                throw DataStoreError(.corrupted, "the copy differs from the store, which is left unchanged")
            }
            // The lock file contains the number of the last transaction, but the copy starts with new numbers. The next
            // process initializes an empty lock file.
            try lockFile.truncate()
            try directory.rename(temporary, to: StoreFiles.dataName)
        } catch {
            directory.remove(temporary)
            throw error
        }
        let synced = Result { () throws(DataStoreError) in try directory.sync() }
        exclusive.release()
        openingCopy.release()
        try synced.get()
    }

    private func copyPages(of id: FileID, to copy: File) throws(DataStoreError) {
        let raw = try RawEnvironment(unshared: directory.pathOfDescriptor)
        defer { raw.close() }
        guard try raw.dataFileID() == id else { throw StoreFiles.replaced }
        try raw.copy(to: copy.descriptor)
    }
}
