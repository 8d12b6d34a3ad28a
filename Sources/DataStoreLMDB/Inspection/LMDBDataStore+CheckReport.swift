import DataStoreCore
import DataStoreSystem

extension LMDBDataStore {
    /// The result of checking a store: its size and its problems. ``LMDBDataStore/check(_:)`` returns it.
    public struct CheckReport: Hashable, Sendable {
        /// The number of intact records.
        package let recordCount: Int

        /// The number of pages in the data file, including free pages.
        package let pageCount: UInt64

        /// The number of free pages.
        package let freePageCount: UInt64

        /// The number of the checked transaction, or 0 if the store has no readable transaction.
        package let transaction: UInt64

        /// The problems that the check found. The store may have more, because the check does not reach the pages below
        /// a damaged page.
        package let findings: [Finding]

        /// One sentence for each problem that the check found. The array is empty for an intact store.
        public var problems: [String] { findings.map(\.description) }

        /// Whether the check found no problems.
        package var isClean: Bool { findings.isEmpty }

        /// Creates the report on a store without a readable transaction.
        init(findings: [Finding] = []) {
            (recordCount, pageCount, freePageCount, transaction) = (0, 0, 0, 0)
            self.findings = findings
        }

        /// Checks a transaction and creates the report.
        ///
        /// - Throws: `CancellationError` if the check is cancelled. `DataStoreError` with the code `notAStore` if
        ///   another program created the environment, or `formatTooNew` if a newer program wrote the store.
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

        /// Returns one finding if the meta pages have consecutive transaction numbers, but the checked state does not
        /// follow the state in the other meta page. Otherwise returns none. A damaged transaction number can make an
        /// older state look like the last one.
        static func orderFindings(_ walk: SnapshotWalk) throws(DataStoreError) -> [Finding] {
            let (meta, other) = (walk.snapshot.meta, walk.snapshot.other)
            guard let other, other.transaction == meta.transaction &- 1, !walk.followsOther else { return [] }
            // The next transaction may have been overwriting the other page when it was read, so the page is read
            // again. If it is damaged, it has not changed since.
            guard try walk.snapshot.file.metas().candidates.contains(other) else { return [] }
            return [
                Finding(
                    .damagedMeta, page: PageNumber(meta.index),
                    "its transaction \(meta.transaction) does not follow the state in the other meta page")
            ]
        }
    }
}
