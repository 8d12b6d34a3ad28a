import DataStoreCore
import DataStoreSystem

extension LMDBDataStore {
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
        do {
            try Task.checkCancellation()
            try readers.beginUse()
            defer { readers.endUse() }
            switch try openedForReading() {
            case nil: return CheckReport()
            case .readOnly(let store): return try await Thread.run { try store.check($0) }
            case .environment(let environment):
                try environment.checkFiles()
                return try await Thread.run { [readers] cancellation in
                    try environment.check(by: readers, cancellation)
                }
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "check the store", path: path)
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
    ///   - `formatTooNew` if a newer program wrote the store.
    ///   - `inputOutput` if the store cannot be read.
    public static func check(_ path: String) async throws -> CheckReport {
        do {
            let files = try InspectedFiles(at: Path.absolute(path))
            // Opening such a store finds no records either.
            if try Environment.isNew(files.data) { return CheckReport() }
            if files.hasLockFile, let report = try await checkOpened(path) { return report }
            return try await Thread.run { cancellation in
                try PageFile(files.data).check(cancellation)
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "check the store", path: path)
        }
    }

    /// Opens a store and checks it. Returns `nil` if the store cannot be opened, so that the caller can check it
    /// without liblmdb.
    ///
    /// - Throws: `DataStoreError` with the code `formatTooNew` if a newer program wrote the store, or any error of the
    ///   check.
    private static func checkOpened(_ path: String) async throws -> CheckReport? {
        let store: LMDBDataStore
        do {
            store = try LMDBDataStore(path: path)
        } catch  where error.code == .formatTooNew {
            throw error
        } catch {
            // The check of the data file reports the reason, or fails with the same error.
            return nil
        }
        let result: Result<CheckReport, any Error>
        do {
            result = .success(try await store.check())
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }
}
