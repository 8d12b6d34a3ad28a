import DataStoreCore
import DataStoreFiles

extension LMDBDataStore {
    /// The result of checking a store: its size and its problems.
    public struct CheckReport: Hashable, Sendable {
        /// The number of intact records.
        package let recordCount: Int

        /// The number of pages in the store, including free ones.
        package let pageCount: UInt64

        /// The number of free pages.
        package let freePageCount: UInt64

        /// The number of the transaction that was checked, or 0 if nothing was ever written.
        package let transaction: UInt64

        /// The problems that were found. There may be more, because pages below a damaged page are not checked.
        package let findings: [Finding]

        /// A sentence for each problem. A sound store has none.
        public var problems: [String] { findings.map(\.description) }

        /// Whether no problems were found.
        package var isClean: Bool { findings.isEmpty }

        /// Creates the report of a store without a readable transaction.
        init(findings: [Finding] = []) {
            (recordCount, pageCount, freePageCount, transaction) = (0, 0, 0, 0)
            self.findings = findings
        }

        /// Checks a transaction.
        ///
        /// - Throws: `CancellationError`; `DataStoreError`: `notAStore` if another program created the environment,
        ///   `formatTooNew`.
        init(of snapshot: Snapshot, _ metaFindings: [Finding], _ cancellation: Cancellation) throws {
            var walk = SnapshotWalk(snapshot, verifiesRecords: true) { cancellation.isCancelled }
            walk.run()
            try cancellation.check()
            if let error = walk.formatError { throw error }
            let hasOwnEntry = walk.recordCount > 0 || walk.tree.hasFormat
            guard hasOwnEntry || walk.tree.entryCount == 0 || !metaFindings.isEmpty || !walk.areRecordsSound else {
                throw DataStoreError.notAStore("data.mdb belongs to another program")
            }
            recordCount = walk.recordCount
            pageCount = UInt64(snapshot.meta.lastPage) + 1
            freePageCount = UInt64(walk.free.count)
            transaction = UInt64(snapshot.meta.transaction)
            findings = try metaFindings + CheckReport.orderFindings(walk) + walk.findings
        }

        /// Returns a finding if the meta page does not follow the other one. A damaged transaction number may still
        /// look valid, and an old state would then pass for the last one.
        static func orderFindings(_ walk: SnapshotWalk) throws(DataStoreError) -> [Finding] {
            let (meta, other) = (walk.snapshot.meta, walk.snapshot.other)
            guard let other, other.transaction == meta.transaction &- 1, !walk.followsOther else { return [] }
            // The next transaction may have been overwriting the other page when it was read. A damaged page is still
            // unchanged.
            guard try walk.snapshot.file.metas().candidates.contains(other) else { return [] }
            return [
                Finding(
                    .damagedMeta, page: PageNumber(meta.index),
                    "it has transaction \(meta.transaction), but does not follow the other meta page")
            ]
        }
    }
}
