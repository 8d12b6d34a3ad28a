import DataStoreCore

extension RawEnvironment {
    /// Runs a closure on the pages of the last transaction. They stay as they are for as long as it runs: a read
    /// transaction keeps them.
    func withSnapshot<Result>(
        of file: PageFile, _ body: (Snapshot) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        for _ in 0..<RawEnvironment.attemptCount {
            let transaction = try begin(readOnly: true)
            defer { transaction.abort() }
            let metas = try file.metas()
            // Its meta page is written again by the next commit but one, so it was read whole if there was none at all.
            guard try lastTransaction() == transaction.number else { continue }
            guard let meta = metas.page(of: transaction.number), meta.transaction == transaction.number, meta.damage(pageSize: file.pageSize) == nil else {
                throw DataStoreError(
                    .corrupted, "a meta page of its data.mdb is damaged; salvage it or restore a backup")
            }
            return try body(Snapshot(file, meta: meta, in: metas))
        }
        throw DataStoreError(.busy, "others write to the store too quickly to look at it; try again")
    }

    /// Between beginning a read and reading a meta page there is a commit now and then, but not each time.
    private static let attemptCount = 1000
}
