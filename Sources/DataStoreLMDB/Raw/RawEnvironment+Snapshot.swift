import DataStoreCore

extension RawEnvironment {
    /// Runs a closure on the pages of the last transaction. The pages do not change while the closure runs.
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
                if let snapshot = try file.snapshot(of: transaction) { return (transaction, snapshot) }
            } catch {
                transaction.abort()
                throw error
            }
            transaction.abort()
        }
        throw DataStoreError(.busy, "other processes are writing to the store; retry")
    }

    /// The maximum number of attempts to read a snapshot. An attempt fails if two transactions are committed after the
    /// read transaction has begun and before its meta page is read, because the second one overwrites this page.
    static let attemptCount = 1000
}
