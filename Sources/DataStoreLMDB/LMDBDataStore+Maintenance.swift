import DataStoreSystem

extension LMDBDataStore {
    /// Copies the store to a new directory, where it can be opened like any other store.
    ///
    /// The copy is a snapshot without free pages and deleted values. Reads and writes continue during the copy. When
    /// this function returns, the copy is durable, and only its owner can read it (mode 0600).
    ///
    /// The store is checked first, and a damaged store is not copied. The new directory appears at the path only when
    /// the copy is complete. If the process is killed, a directory `.NAME.unfinished-…` remains in the parent
    /// directory, and the next backup to the same path removes it.
    ///
    /// - Parameter path: The path of the new directory, which must not exist.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` with one of these codes:
    ///   - `notAStore` if the path exists or nothing has been saved yet.
    ///   - `corrupted` if the store is damaged.
    ///   - `full` if the copy does not fit on the disk.
    public func backup(to path: String) async throws {
        let target = try Path.absolute(path)
        try await Thread.run { [self] cancellation in
            try inspecting("back up the store") { opened in
                guard let opened else { throw DataStoreError.missing() }
                // The check also verifies the checksums of the records.
                try opened.check(cancellation).requireClean()
                // A read is repeated if other programs have changed the store meanwhile. Each page of a finished copy
                // was validated, so the copy is complete.
                var isFinished = false
                do {
                    try opened.read { snapshot in
                        if !isFinished { try snapshot.backUp(to: target) }
                        isFinished = true
                    }.get()
                } catch  where isFinished {}
            }
        }
    }

    /// Passes the files of the store to a closure, or `nil` if nothing has been saved yet. The store does not close
    /// before the closure returns.
    private func inspecting<Result>(
        _ operation: String, _ body: ((any OpenedStore)?) throws -> Result
    ) throws -> Result {
        do {
            try readers.beginUse()
            defer { readers.endUse() }
            let opened = try openedForReading()
            try checkFiles()
            return try body(opened)
        } catch let error as DataStoreError {
            throw error.adding(operation: operation, path: path)
        }
    }

    /// Replaces the data file of a store with a copy of its records, so that the file contains no deleted value.
    ///
    /// Call this function after you delete confidential values. A write leaves replaced and deleted values in free
    /// pages until a later write reuses the pages. The function does not overwrite the blocks of the old file on the
    /// disk.
    ///
    /// No process may have the store open, including this one. A process that tries to open the store during the call
    /// waits until the call ends. The copy is checked before it replaces the old file. If the process that calls this
    /// function is killed, the store has either the old file or the copy. A file `.data.mdb.compacting-…` may then
    /// remain, which the next call removes. After an error, the store is unchanged, unless only the sync of the
    /// directory failed.
    ///
    /// - Parameters:
    ///   - path: The directory of the store.
    ///   - lockTimeout: The maximum time to wait for a process that is opening the store.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` with one of these codes:
    ///   - `busy` if a process has the store open.
    ///   - `notAStore` if no store exists at the path.
    ///   - `corrupted` if the store is damaged.
    ///   - `full` if the copy does not fit on the disk.
    public static func compact(_ path: String, lockTimeout: Duration = .seconds(30)) async throws {
        try await whileClosed(path, "compact the store") { directory, cancellation in
            _ = try directory.replaceStore(lockTimeout: lockTimeout, cancellation)
        }
    }

    /// Replaces the data file of a store with a checked copy of a backup. The replaced file is kept in the directory as
    /// `data.mdb.replaced-1`, or with the next free number.
    ///
    /// - Parameters:
    ///   - path: The directory of the store, which may be damaged.
    ///   - backup: The directory of the backup.
    /// - Returns: The path of the replaced file.
    /// - Throws: As ``compact(_:lockTimeout:)``, and with the code `corrupted` if the backup is damaged.
    static func restore(_ path: String, from backup: String) async throws -> String {
        let backup = try await DataStoreError.adding(operation: "open the backup", path: backup) {
            try StoreFiles.inspected(at: Path.absolute(backup)).data
        }
        return try await whileClosed(path, "restore the store") { directory, cancellation in
            try directory.replaceStore(with: backup, lockTimeout: .seconds(30), cancellation)
        }
    }

    /// Runs a closure on the directory of a store that this process does not have open.
    private static func whileClosed<Result: Sendable>(
        _ path: String, _ operation: String, _ body: @escaping @Sendable (Directory, Cancellation) throws -> Result
    ) async throws -> Result {
        try await DataStoreError.adding(operation: operation, path: path) {
            let absolutePath = try Path.absolute(path)
            return try await Thread.run { cancellation in
                guard let directory = try Environment.directory(at: absolutePath) else {
                    throw DataStoreError.missing()
                }
                try Environment.checkPlacement(of: directory)
                return try EnvironmentRegistry.shared.whileClosed(directory) { try body(directory, cancellation) }
            }
        }
    }

    /// Checks every page and every record in the state after the last transaction. The check reads the file without
    /// liblmdb, so a damaged file causes no crash.
    ///
    /// Reads and writes continue during the check. Pages that a write frees are not reused until the check ends, so the
    /// file may grow.
    ///
    /// - Returns: The size of the store and its problems. A store that was never written to has no problems.
    /// - Throws: `DataStoreError` if the store is closed or cannot be read. `CancellationError` if the task is
    ///   cancelled.
    package func check() async throws -> CheckReport {
        try await Thread.run { [self] cancellation in
            try inspecting("check the store") { try $0?.check(cancellation) ?? CheckReport() }
        }
    }

    /// Checks a store that may be too damaged to be opened.
    ///
    /// The check does not change the data file, and other processes can use the store during the check. If a lock file
    /// exists and the store can be opened, the check opens the store, which writes to the lock file. If no lock file
    /// exists, the check does not create one.
    ///
    /// - Parameter path: The directory of the store, or its data file alone.
    /// - Returns: The size of the store and its problems. A data file whose creation was interrupted has no problems,
    ///   because nothing was ever saved in it.
    /// - Throws: `CancellationError` if the task is cancelled. `DataStoreError` with one of these codes:
    ///   - `notAStore` if no store exists at the path.
    ///   - `unsupportedFormat` if a newer program wrote the store.
    ///   - `inputOutput` if the store cannot be read.
    public static func check(_ path: String) async throws -> CheckReport {
        try await DataStoreError.adding(operation: "check the store", path: path) {
            let files = try StoreFiles.inspected(at: Path.absolute(path))
            // Opening such a store finds no records either.
            if try PageFile.isNew(files.data) { return CheckReport() }
            if files.hasLockFile, let report = try await checkOpened(path) { return report }
            return try await Thread.run { try PageFile(files.data).check($0) }
        }
    }

    /// Opens a store and checks it. Returns `nil` if the store cannot be opened, so that the caller can check it
    /// without liblmdb.
    ///
    /// - Throws: `DataStoreError` with the code `unsupportedFormat` if a newer program wrote the store, or any error of
    ///   the check.
    private static func checkOpened(_ path: String) async throws -> CheckReport? {
        let store: LMDBDataStore
        do {
            store = try LMDBDataStore(path: path)
        } catch  where error.code == .unsupportedFormat {
            throw error
        } catch {
            // The check of the data file reports the reason, or fails with the same error.
            return nil
        }
        return try await store.closing { try await $0.check() }
    }

    /// Collects statistics of the store.
    ///
    /// - Returns: The statistics, or `nil` if nothing has been saved yet.
    /// - Throws: `DataStoreError` if the store is closed or cannot be read.
    package func statistics() throws -> PageStatistics? {
        try inspecting("inspect the store") { try $0?.statistics() }
    }
}
