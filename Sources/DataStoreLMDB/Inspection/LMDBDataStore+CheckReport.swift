import DataStoreCore
import DataStoreFiles

extension LMDBDataStore {
    /// What checking a store came to: how much is in it, and what is wrong.
    public struct CheckReport: Hashable, Sendable {
        /// How many records there are whose bytes are those that were written.
        public let recordCount: Int

        /// How many pages the store has, free ones included.
        package let pageCount: UInt64

        /// How many of them are free.
        package let freePageCount: UInt64

        /// The number of the transaction whose state was checked; 0 where nothing was ever written.
        package let transaction: UInt64

        /// What is wrong. Where a page is damaged nothing is known of what is below it, so there may be more.
        public let findings: [Finding]

        /// Whether nothing is wrong.
        public var isClean: Bool { findings.isEmpty }

        /// What there is to say where no transaction can be read.
        init(findings: [Finding] = []) {
            (recordCount, pageCount, freePageCount, transaction) = (0, 0, 0, 0)
            self.findings = findings
        }

        /// Checks a transaction.
        ///
        /// - Throws: `CancellationError`; `DataStoreError`: `notAStore` where it is another program's, `formatTooNew`.
        init(of snapshot: Snapshot, _ metaFindings: [Finding], _ cancellation: Cancellation) throws {
            var walk = SnapshotWalk(snapshot, verifiesRecords: true) { cancellation.isCancelled }
            walk.run()
            try cancellation.check()
            if let refusal = walk.refusal { throw refusal }
            let hasOwnEntry = walk.recordCount > 0 || walk.tree.hasFormat
            guard hasOwnEntry || walk.tree.entryCount == 0 || !metaFindings.isEmpty || !walk.areRecordsSound else {
                throw DataStoreError(.notAStore, "it is an LMDB environment of another program")
            }
            recordCount = walk.recordCount
            pageCount = UInt64(snapshot.meta.lastPage) + 1
            freePageCount = UInt64(walk.free.count)
            transaction = UInt64(snapshot.meta.transaction)
            findings = try metaFindings + CheckReport.orderFindings(walk) + walk.findings
        }

        /// A number of a transaction may be damaged so that it still looks like one: then an old state passes for the
        /// last.
        private static func orderFindings(_ walk: SnapshotWalk) throws(DataStoreError) -> [Finding] {
            let (meta, other) = (walk.snapshot.meta, walk.snapshot.other)
            guard let other, other.transaction == meta.transaction &- 1, !walk.followsOther else { return [] }
            // The next transaction may have been about to write it. What is damaged is still there.
            guard try walk.snapshot.file.metas().candidates.contains(other) else { return [] }
            return [
                Finding(
                    .damagedMeta, page: PageNumber(meta.index),
                    "it is of transaction \(meta.transaction), but does not follow what the other one says")
            ]
        }
    }
}
