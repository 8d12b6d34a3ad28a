import DataStoreCore

/// The pages of a reader's snapshot. Each page is verified before it is used.
final class VerifiedPages {
    private let file: PageFile
    private var snapshot: Snapshot?

    init(_ file: PageFile) { self.file = file }

    /// Creates the pages of a snapshot without a read transaction.
    init(_ snapshot: Snapshot) { (file, self.snapshot) = (snapshot.file, snapshot) }

    /// Finds the pages of a transaction. If later commits have overwritten its meta page, renews the transaction, which
    /// then sees the last commit.
    func find(_ transaction: RawTransaction) throws(DataStoreError) {
        snapshot = nil
        for _ in 0..<RawEnvironment.attemptCount {
            snapshot = try file.snapshot(of: transaction)
            if snapshot != nil { return }
            transaction.reset()
            try transaction.renew()
        }
        throw DataStoreError(.busy, "other processes are writing to the store; retry")
    }

    /// Creates a cursor, which is valid until the transaction ends or is renewed.
    func cursor() throws(DataStoreError) -> VerifyingCursor {
        guard let snapshot else { throw .closed() }
        return VerifyingCursor(snapshot)
    }
}
