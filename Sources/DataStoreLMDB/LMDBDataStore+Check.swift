import DataStoreCore
import DataStoreFiles

extension LMDBDataStore {
    /// Checks every page and every record of the last transaction, by plain reads: a damaged file does no harm.
    ///
    /// Others may read and write meanwhile. What they free is kept until this ends, so the file may grow.
    ///
    /// - Returns: how much is in the store and what is wrong. A store that was never written to is clean.
    /// - Throws: `DataStoreError`, e.g. with the code `closed`; `CancellationError`.
    public func check() async throws -> CheckReport {
        do {
            try Task.checkCancellation()
            try readers.enter()
            defer { readers.leave() }
            guard let environment = try opened(create: false) else { return CheckReport() }
            try environment.checkFiles()
            return try await Thread.run { [readers] cancellation in try environment.check(by: readers, cancellation) }
        } catch let error as DataStoreError {
            throw error.adding(operation: "check the store", path: path)
        }
    }

    /// Checks a store that may be too damaged to be opened.
    ///
    /// Where it can be opened, it is; nothing but its lock file is written then, and others may use it meanwhile. Where
    /// there is no lock file none is made: nobody has the store open.
    ///
    /// - Parameter path: the directory of the store, or a data file alone.
    /// - Returns: how much is in the store and what is wrong.
    /// - Throws: `DataStoreError`: `notAStore` where there is no store, `formatTooNew`, `inputOutput`;
    ///   `CancellationError`.
    public static func check(_ path: String) async throws -> CheckReport {
        do {
            let files = try FoundFiles(at: Path.absolute(path))
            guard files.byteCount > 0 else {
                return CheckReport(findings: [
                    CheckReport.Finding(.cutOff, "its data.mdb is empty")
                ])
            }
            if files.hasLockFile, let report = try await checkOpened(path) { return report }
            return try await Thread.run { cancellation in
                try PageFile(files.data).check(cancellation)
            }
        } catch let error as DataStoreError {
            throw error.adding(operation: "check the store", path: path)
        }
    }

    /// Checks a store that can be opened; nil where it cannot.
    private static func checkOpened(_ path: String) async throws -> CheckReport? {
        let store: LMDBDataStore
        do {
            store = try LMDBDataStore(path: path)
        } catch  where error.code == .formatTooNew {
            throw error
        } catch {
            // Why it cannot be opened will be among the findings, or come up again.
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
