import DataStoreCore
import DataStoreSystem

extension Environment {
    /// The name of the data file in an unfinished backup. A complete backup has no file with this name.
    private static let unfinishedName = "unfinished.mdb"

    func backUp(to path: String) throws(DataStoreError) {
        try Self.backUp(to: path) { file throws(DataStoreError) in
            try raw.withSnapshot(of: pageFile()) { snapshot throws(DataStoreError) in try snapshot.rewrite(to: file) }
        }
    }

    /// Creates a backup in a new directory at `path`. `copy` receives the path of the empty data file, and writes the
    /// copy.
    ///
    /// The copy is written to a temporary directory beside `path`. When the copy is complete and durable, that
    /// directory is renamed to `path`.
    static func backUp(
        to path: String, _ copy: (_ file: String) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let (parent, name) = try Directory.forNewEntry(at: path, "directory")
        try removeLeftovers(of: name, in: parent)
        let (temporary, directory) = try parent.makeTemporaryDirectory(for: name, "unfinished")
        do throws(DataStoreError) {
            // The lock distinguishes a running backup from one whose process was killed.
            let file = try Self.createUnfinished(in: directory)
            let lock = try FileLock(file, timeout: .seconds(1)) { 0 }
            guard try directory.status(of: Self.unfinishedName) != nil else {
                throw DataStoreError(.busy, "another backup to \(path) is starting; retry")
            }
            try copy("\(directory.pathOfDescriptor)/\(Self.unfinishedName)")
            try file.sync()
            try directory.rename(Self.unfinishedName, to: StoreFiles.dataName)
            try directory.sync()
            guard try parent.renameExclusively(temporary, to: name) else { throw DataStoreError.exists(path) }
            lock.release()
        } catch {
            directory.remove(Self.unfinishedName)
            directory.remove(StoreFiles.dataName)
            parent.removeDirectory(temporary)
            throw error
        }
        try parent.sync()
    }

    /// Creates the data file of a backup in its temporary directory.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if another process has removed the directory or has already
    ///   created the file.
    private static func createUnfinished(in directory: Directory) throws(DataStoreError) -> File {
        do throws(DataStoreError) {
            if let file = try directory.create(unfinishedName) { return file }
        } catch  where error.errno == ENOENT {}
        throw DataStoreError(.busy, "another process changes \(directory.path); retry")
    }

    /// Removes the temporary directories that interrupted backups in `parent` have left.
    ///
    /// A directory is removed only if this user owns it, it contains nothing but an unfinished data file, and no
    /// process has locked that file. A directory with a complete data file is kept, because it may be a store. A backup
    /// with another name than `name` may be starting: it has not locked its file yet, which is missing or empty.
    private static func removeLeftovers(of name: String, in parent: Directory) throws(DataStoreError) {
        let own = try parent.temporaryNames(for: name, "unfinished")
        for leftover in try parent.temporaryNames(for: nil, "unfinished") {
            guard let directory = try parent.subdirectory(leftover), try directory.status().isOwn else { continue }
            do throws(DataStoreError) {
                let file = try directory.open(Self.unfinishedName, forWriting: true)
                guard try file?.status().size ?? 0 > 0 || own.contains(leftover) else { continue }
                if let file {
                    let lock = try FileLock(file, timeout: .zero) { 0 }
                    directory.remove(Self.unfinishedName)
                    lock.release()
                }
                parent.removeDirectory(leftover)
            } catch {
                // A running backup holds the lock, or the file cannot be opened. What remains only wastes space.
            }
        }
    }
}

/// The kind of the temporary file of a compaction, which is part of its name `.data.mdb.compacting-…`.
private let compactingKind = "compacting"

extension Directory {
    /// Replaces the data file of the store in the directory with a copy of its entries.
    ///
    /// No process may have the environment open, because it would continue to write to the replaced file. The function
    /// therefore holds two locks. A process needs the first one, on `data.mdb`, to open the environment. liblmdb holds
    /// the second one, on the first byte of `lock.mdb`, while a process has the environment open.
    func compactStore(lockTimeout: Duration, _ cancellation: Cancellation) throws {
        try whileUnused(lockTimeout) { data, lockFile, exclusive in
            let status = try data.status()
            guard status.linkCount == 1 else {
                throw DataStoreError(.notAStore, "data.mdb has \(status.linkCount) hard links; remove the others")
            }
            for leftover in try temporaryNames(for: StoreFiles.dataName, compactingKind) { remove(leftover) }
            try replace(data, lockFile, exclusive, cancellation)
        }
    }

    /// The name of the directory within a store in which a restore copies the backup.
    static let nameOfCopy = ".restoring"

    /// Replaces the data file of the store with the one in the directory ``nameOfCopy``, and keeps the old one.
    ///
    /// - Returns: The path of the old data file.
    func replaceStoreWithCopy(_ cancellation: Cancellation) throws -> String {
        guard let copy = try subdirectory(Self.nameOfCopy),
            let new = try copy.open(StoreFiles.dataName, forWriting: true)
        else { throw DataStoreError.missing() }
        let openingNew = try StoreFiles.lockForOpening(new, timeout: .zero)
        try PageFile(new).check(cancellation).requireClean()
        let kept = try whileUnused(.seconds(30)) { _, lockFile, exclusive in
            var number = 1
            var kept: String { "\(StoreFiles.dataName).replaced-\(number)" }
            while try !link(StoreFiles.dataName, as: kept) { number += 1 }
            // The next process initializes an empty lock file.
            try lockFile.truncate()
            try copy.move(StoreFiles.dataName, to: self)
            let synced = Result { () throws(DataStoreError) in try sync() }
            exclusive.release()
            try synced.get()
            return path(of: kept)
        }
        openingNew.release()
        return kept
    }

    /// Removes the directory ``nameOfCopy``.
    func removeCopyOfBackup() throws {
        guard let copy = try subdirectory(Self.nameOfCopy) else { return }
        for name in [StoreFiles.dataName, StoreFiles.lockName] { copy.remove(name) }
        removeDirectory(Self.nameOfCopy)
    }

    /// Runs a closure while no process has the environment open or opens it. The closure receives the data file, the
    /// lock file, and the lock on the lock file.
    private func whileUnused<Result>(
        _ lockTimeout: Duration, _ body: (File, File, consuming FileLock) throws -> Result
    ) throws -> Result {
        guard let data = try open(StoreFiles.dataName, forWriting: true) else { throw StoreFiles.replaced }
        let opening = try StoreFiles.lockForOpening(data, timeout: lockTimeout)
        guard try status(of: StoreFiles.dataName)?.id == data.status().id else { throw StoreFiles.replaced }
        try Environment.prepareLockFile(in: self)
        let lockFile = try openOrCreate(StoreFiles.lockName)
        let exclusive = try lockExclusively(lockFile)
        // A process that uses another lock file has locked a byte of the data file.
        guard try !data.isLocked(StoreFiles.bytesOfUse) else { throw Self.storeInUse }
        let result = try body(data, lockFile, exclusive)
        opening.release()
        return result
    }

    private func lockExclusively(_ lockFile: File) throws(DataStoreError) -> FileLock {
        do throws(DataStoreError) {
            return try FileLock(lockFile, byte: 0, timeout: .zero) { 0 }
        } catch {
            throw error.code == .busy ? Self.storeInUse : error
        }
    }

    private static var storeInUse: DataStoreError {
        DataStoreError(.busy, "another program has the store open; close it and retry")
    }

    /// Copies the entries of the data file, checks the copy, renames it over the data file, and then releases the lock
    /// on the lock file.
    private func replace(
        _ data: File, _ lockFile: File, _ exclusive: consuming FileLock, _ cancellation: Cancellation
    ) throws {
        let pages = try PageFile(data)
        let report = try pages.check(cancellation)
        try report.requireClean()
        let metas = try pages.checkMetas()
        guard let meta = metas.newest else { throw StoreFiles.replaced }
        let (temporary, copy) = try createTemporary(for: StoreFiles.dataName, compactingKind)
        // A process that finds the new data file must not open it before the lock file is released. It would find the
        // lock file empty, but locked.
        let openingCopy = try StoreFiles.lockForOpening(copy, timeout: .zero)
        do {
            try Snapshot(pages, meta: meta, in: metas).rewrite(to: "\(pathOfDescriptor)/\(temporary)")
            try copy.setPermissions(like: data)
            try copy.sync()
            let copied = try PageFile(copy).check(cancellation)
            guard copied.isClean, copied.recordCount == report.recordCount else {
                throw DataStoreError(.corrupted, "the copy differs from the store, which is left unchanged")
            }
            // The lock file contains the number of the last transaction, but the copy starts with new numbers. The next
            // process initializes an empty lock file.
            try lockFile.truncate()
            try rename(temporary, to: StoreFiles.dataName)
        } catch {
            remove(temporary)
            throw error
        }
        let synced = Result { () throws(DataStoreError) in try sync() }
        exclusive.release()
        openingCopy.release()
        try synced.get()
    }
}
