import DataStoreCore

extension RawEnvironment {
    /// Runs a closure on the pages of the last transaction. They do not change while it runs.
    func withSnapshot<Result>(
        of file: PageFile, _ body: (Snapshot) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let (transaction, snapshot) = try beginSnapshot(of: file)
        defer { transaction.abort() }
        return try body(snapshot)
    }

    /// Returns the pages of the last transaction, and the read transaction that keeps them unchanged until it is
    /// aborted.
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
        throw DataStoreError(.busy, "other processes are writing to the store; retry")
    }

    /// Returns the pages that a read transaction sees, or `nil` if another transaction was committed meanwhile.
    private func snapshot(of file: PageFile, _ number: UInt64) throws(DataStoreError) -> Snapshot? {
        let metas = try file.metas()
        // The second commit after this transaction overwrites its meta page. The page was therefore read completely if
        // a second read returns the same. (The other page may belong to an unfinished commit, or to a killed process.)
        guard let meta = metas.page(of: UInt(number)), meta.transaction == number,
            meta.damage(pageSize: file.pageSize) == nil
        else {
            let isOverwritten = metas.page(of: UInt(number)).map { $0.transaction > number } ?? false
            guard !isOverwritten, try file.metas() == metas else { return nil }
            throw DataStoreError.damaged("a meta page of data.mdb is invalid")
        }
        guard try file.metas().page(of: UInt(number)) == meta else { return nil }
        return try Snapshot(file, meta: meta, in: metas)
    }

    /// The number of attempts. A commit may come between beginning a read and reading a meta page, but not every time.
    private static let attemptCount = 1000
}
