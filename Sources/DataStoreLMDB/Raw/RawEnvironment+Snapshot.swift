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
                if let snapshot = try file.snapshot(of: transaction) { return (transaction, snapshot) }
            } catch {
                transaction.abort()
                throw error
            }
            transaction.abort()
        }
        throw DataStoreError(.busy, "other processes are writing to the store; retry")
    }

    /// The number of attempts. A commit may come between beginning a read and reading a meta page, but not every time.
    static let attemptCount = 1000
}
