import DataStoreSystem

extension Snapshot {
    /// The kind of the temporary directory of a backup, and of the data file in it.
    private static let unfinished = "unfinished"

    /// Copies the entries to a store in a new directory.
    ///
    /// The copy is written to a temporary directory beside `path`. When the copy is complete and durable, that
    /// directory is renamed to `path`.
    func backUp(to path: String) throws(DataStoreError) {
        let (parent, name) = try Directory.forNewEntry(at: path, "directory")
        try Self.removeLeftovers(of: name, in: parent)
        let (temporary, directory) = try parent.makeTemporaryDirectory(for: name, Self.unfinished)
        do throws(DataStoreError) {
            // The lock of the file distinguishes a running backup from one whose process was killed.
            let copy = try UnfinishedFile(StoreFiles.dataName, in: directory, Self.unfinished)
            try rewrite(to: copy.path)
            try copy.finish()
            guard try parent.rename(temporary, to: name) else { throw DataStoreError.exists(path) }
        } catch {
            directory.remove(StoreFiles.dataName)
            parent.removeDirectory(temporary)
            guard error.errno == ENOENT else { throw error }
            throw DataStoreError(.busy, "another backup to \(path) is starting; retry", underlying: error)
        }
        try parent.sync()
    }

    /// Removes the temporary directories that interrupted backups in `parent` have left.
    ///
    /// A directory is removed only if this user owns it, it contains nothing but an unfinished data file, and no
    /// process has locked that file. A directory with a complete data file is kept, because it may be a store. A backup
    /// with another name than `name` may be starting: it has not locked its file yet, which is missing or empty.
    private static func removeLeftovers(of name: String, in parent: Directory) throws(DataStoreError) {
        let own = try parent.temporaryNames(for: name, unfinished)
        for leftover in try parent.temporaryNames(for: nil, unfinished) {
            do {
                guard let directory = try parent.subdirectory(leftover), try directory.status().isOwn else { continue }
                let isUsed = try directory.temporaryNames(for: StoreFiles.dataName, unfinished).contains { file in
                    try directory.status(of: file)?.size ?? 0 > 0
                }
                guard isUsed || own.contains(leftover) else { continue }
                try directory.removeTemporaryFiles(unfinished, for: StoreFiles.dataName)
                parent.removeDirectory(leftover)
            } catch {
                // Another process removes the directory, or it cannot be read. What remains only wastes space.
            }
        }
    }
}

extension Directory {
    /// The kind of the temporary file of ``replaceStore(with:lockTimeout:_:)``, which is part of its name
    /// `.data.mdb.compacting-…`.
    private static let compacting = "compacting"

    /// Replaces the data file of the store in the directory with a checked copy of the entries of a data file.
    ///
    /// No process may have the environment open, because it would continue to write to the replaced file. The function
    /// therefore holds two locks. A process needs the first one, on `data.mdb`, to open the environment. liblmdb holds
    /// the second one, on the first byte of `lock.mdb`, while a process has the environment open.
    ///
    /// - Parameters:
    ///   - backup: The data file to copy, or `nil` to copy the replaced file itself.
    ///   - lockTimeout: The maximum time to wait for a process that is opening the store.
    ///   - cancellation: The cancellation of the calling task.
    /// - Returns: The path at which the replaced file is kept. It is kept only if there is a backup.
    /// - Throws: `CancellationError` if the task is cancelled, or `DataStoreError`. The store is then unchanged, unless
    ///   only the sync of the directory failed.
    func replaceStore(
        with backup: File? = nil, lockTimeout: Duration, _ cancellation: Cancellation
    ) throws -> String {
        guard let data = try open(StoreFiles.dataName, forWriting: true) else { throw StoreFiles.replaced }
        let opening = try StoreFiles.lockForOpening(data, timeout: lockTimeout)
        guard try status(of: StoreFiles.dataName)?.id == data.status().id else { throw StoreFiles.replaced }
        try Environment.prepareLockFile(in: self)
        let lockFile = try openOrCreate(StoreFiles.lockName)
        let exclusive: FileLock
        do throws(DataStoreError) {
            exclusive = try FileLock(lockFile, byte: 0, timeout: .zero) { 0 }
        } catch {
            throw error.code == .busy ? Self.storeInUse : error
        }
        // A process that uses another lock file has locked a byte of the data file.
        guard try !data.isLocked(StoreFiles.bytesOfUse) else { throw Self.storeInUse }
        let linkCount = try data.status().linkCount
        guard backup != nil || linkCount == 1 else {
            throw DataStoreError(.notAStore, "data.mdb has \(linkCount) hard links; remove the others")
        }
        // The lock for opening is held, so no process uses such a file, whoever owns it.
        for leftover in try temporaryNames(for: StoreFiles.dataName, Self.compacting) { remove(leftover) }
        let copy = try UnfinishedFile(StoreFiles.dataName, in: self, Self.compacting)
        // A process that finds the new data file must not open it before the lock file is released. It would find the
        // lock file empty, but locked.
        let openingCopy = try StoreFiles.lockForOpening(copy.file, timeout: .zero)
        try PageFile(backup ?? data).rewrite(to: copy, cancellation)
        try copy.file.setPermissions(like: data)
        let kept = backup == nil ? nil : try keep(StoreFiles.dataName, as: "replaced")
        // The lock file contains the number of the last transaction, but the copy starts with new numbers. The next
        // process initializes an empty lock file.
        let finished = Result { () throws(DataStoreError) in
            try lockFile.truncate()
            return try copy.finish()
        }
        // A file that was not replaced needs no second name.
        if let kept, !copy.isFinished { remove(kept) }
        exclusive.release()
        openingCopy.release()
        opening.release()
        _ = try finished.get()
        return path(of: kept ?? StoreFiles.dataName)
    }

    private static var storeInUse: DataStoreError {
        DataStoreError(.busy, "another program has the store open; close it and retry")
    }
}

extension PageFile {
    /// Checks the file, copies its entries to an empty file, and checks the copy.
    ///
    /// - Parameters:
    ///   - copy: The empty file.
    ///   - cancellation: The cancellation of the calling task.
    /// - Throws: `DataStoreError` with the code `corrupted` if the file is damaged, or `busy` if another process has
    ///   changed it. `CancellationError` if the task is cancelled.
    fileprivate func rewrite(to copy: UnfinishedFile, _ cancellation: Cancellation) throws {
        let before = try settledMetas()
        let report = try check(cancellation)
        try report.requireClean()
        let snapshot = try lastSnapshot()
        do throws(DataStoreError) {
            try snapshot.rewrite(to: copy.path)
        } catch {
            throw try snapshot.isUnchanged() ? error : PageFile.isChanging
        }
        let copied = try PageFile(copy.file).check(cancellation)
        guard copied.isClean, copied.recordCount == report.recordCount else {
            if copied.isClean, snapshot.metas != before { throw PageFile.isChanging }
            throw DataStoreError(.corrupted, "the copy differs from the original; the store is left unchanged")
        }
    }
}
