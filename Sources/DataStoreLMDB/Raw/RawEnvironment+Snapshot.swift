import DataStoreCore

extension RawEnvironment {
    /// Runs a closure on the pages of the last transaction. They stay as they are for as long as it runs.
    func withSnapshot<Result>(
        of file: PageFile, _ body: (Snapshot) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let (transaction, snapshot) = try beginSnapshot(of: file)
        defer { transaction.abort() }
        return try body(snapshot)
    }

    /// The pages of the last transaction, and the read transaction that keeps them as they are until it is aborted.
    func beginSnapshot(of file: PageFile) throws(DataStoreError) -> (RawTransaction, Snapshot) {
        for _ in 0..<RawEnvironment.attemptCount {
            let transaction = try begin(readOnly: true)
            do throws(DataStoreError) {
                if let snapshot = try snapshot(of: file, transaction.number) { return (transaction, snapshot) }
            } catch {
                transaction.abort()
                throw error
            }
            transaction.abort()
        }
        throw DataStoreError(.busy, "others write to the store too quickly to look at it; try again")
    }

    /// The pages of a transaction that is kept; nil where another one was committed meanwhile.
    private func snapshot(of file: PageFile, _ number: UInt64) throws(DataStoreError) -> Snapshot? {
        let metas = try file.metas()
        // Its meta page is written again by the next commit but one: it was read whole if it is still the same. (The
        // other one may be of a commit that is not finished, or never was because its process was killed.)
        guard let meta = metas.page(of: UInt(number)), meta.transaction == number,
            meta.damage(pageSize: file.pageSize) == nil
        else {
            let isOverwritten = metas.page(of: UInt(number)).map { $0.transaction > number } ?? false
            guard !isOverwritten, try file.metas() == metas else { return nil }
            throw DataStoreError(.corrupted, "a meta page of its data.mdb is damaged; salvage it or restore a backup")
        }
        guard try file.metas().page(of: UInt(number)) == meta else { return nil }
        return try Snapshot(file, meta: meta, in: metas)
    }

    /// Between beginning a read and reading a meta page there is a commit now and then, but not each time.
    private static let attemptCount = 1000
}
