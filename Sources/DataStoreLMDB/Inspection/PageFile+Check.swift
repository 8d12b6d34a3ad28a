import DataStoreCore
import DataStoreSystem

extension PageFile {
    /// Checks a file without liblmdb. There is no read transaction that keeps pages from being reused, so the check is
    /// repeated if a writer may have changed them.
    ///
    /// - Throws: `DataStoreError` with the code `busy` if another process changed the pages during each attempt.
    ///   `CancellationError` if the check is cancelled.
    func check(_ cancellation: Cancellation) throws -> LMDBDataStore.CheckReport {
        for _ in 0..<PageFile.attemptCount {
            let metas = try settledMetas()
            try metas.checkVersion()
            // Without an intact meta page, the findings of the meta pages are the whole report.
            guard let meta = metas.newest else { return LMDBDataStore.CheckReport(findings: metas.findings) }
            let report = try LMDBDataStore.CheckReport(
                of: Snapshot(self, meta: meta, in: metas), metas.findings, cancellation)
            if try keeps(metas) { return report }
        }
        throw DataStoreError(.busy, "other processes are writing to the store; retry")
    }

    /// Returns whether at most one transaction has been committed since the given meta pages were read.
    ///
    /// If so, the pages of their newest transaction are unchanged, because the pages that a transaction frees are
    /// reused only after the next transaction has also been committed.
    func keeps(_ metas: MetaPages) throws(DataStoreError) -> Bool {
        let now = try self.metas()
        guard now != metas, let before = metas.newest, let after = now.newest else { return now == metas }
        return after.transaction &- before.transaction <= 1
    }

    private static let attemptCount = 3
}
