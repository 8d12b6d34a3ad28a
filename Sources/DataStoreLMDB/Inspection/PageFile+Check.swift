import DataStoreCore
import DataStoreFiles

extension PageFile {
    /// Checks a file that nobody is known to hold a snapshot of.
    ///
    /// - Throws: `DataStoreError` with the code `busy` where others write to it; `CancellationError`.
    func check(_ cancellation: Cancellation) throws -> LMDBDataStore.CheckReport {
        for _ in 0..<PageFile.attemptCount {
            let metas = try settledMetas()
            try metas.checkVersion()
            // Where there is no meta page to begin with, that is what there is to say.
            guard let meta = metas.newest else { return LMDBDataStore.CheckReport(findings: metas.findings) }
            let report = try LMDBDataStore.CheckReport(
                of: Snapshot(self, meta: meta, in: metas), metas.findings, cancellation)
            if try keeps(metas) { return report }
        }
        throw DataStoreError(.busy, "others write to it; try again")
    }

    /// Whether all pages are still there that the last transaction had when its meta page was read: what a transaction
    /// frees is used again only after the next has been committed, too.
    func keeps(_ metas: MetaPages) throws(DataStoreError) -> Bool {
        let now = try self.metas()
        guard now != metas, let before = metas.newest, let after = now.newest else { return now == metas }
        return after.transaction &- before.transaction <= 1
    }

    private static let attemptCount = 3
}
