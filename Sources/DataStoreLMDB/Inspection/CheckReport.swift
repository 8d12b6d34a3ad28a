import DataStoreSystem

extension LMDBDataStore.CheckReport {
    /// A problem that a check of a store has found.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// A kind of problem in a data file.
        package enum Kind: Sendable {
            /// The end of the file is missing. ``LMDBDataStore/salvage(_:into:)`` copies the remaining records.
            case truncated
            /// A meta page, which refers to the roots of the trees, is damaged. The last transaction, or every
            /// transaction, may be unreachable.
            case damagedMeta
            /// A page in the tree of records is damaged. The records on it and on the pages below it are unreachable.
            case damagedPage
            /// The free list is damaged. All records are readable, but a write could destroy some of them.
            case damagedFreeList
            /// Some pages are neither in use nor free. They waste space, but no records are lost.
            case lostPages
            /// The number of entries, pages or levels of a tree differs from the number in the meta page.
            case wrongCount
            /// The bytes of a record or of its key are damaged, or the record with the format version is missing.
            case badRecord
        }

        /// The kind of the problem.
        package let kind: Kind

        /// The number of the damaged page, or `nil` if the problem does not concern a page.
        package let page: UInt64?

        /// What the problem concerns, e.g. `the record users/me`, or `nil` if it does not concern a record.
        package let object: String?

        /// The description of the problem, as a clause to which ``description`` adds the object or the page.
        package let reason: String

        init(_ kind: Kind, page: PageNumber? = nil, object: String? = nil, _ reason: String) {
            (self.kind, self.page, self.object, self.reason) = (kind, page.map(UInt64.init), object, reason)
        }

        /// A sentence that locates and describes the problem.
        package var description: String { (object ?? page.map { "page \($0)" }).map { "\($0): \(reason)" } ?? reason }
    }
}

extension LMDBDataStore {
    /// The result of checking a store: its size and its problems. ``LMDBDataStore/check(_:)`` returns it.
    ///
    /// ```swift
    /// let report = try await LMDBDataStore.check(path)
    /// for problem in report.problems { print(problem) }
    /// ```
    public struct CheckReport: Hashable, Sendable {
        /// The number of intact records.
        package let recordCount: Int

        /// The problems that the check found. The store may have more, because the check does not reach the pages below
        /// a damaged page.
        package let findings: [Finding]

        /// One sentence for each problem that the check found. The array is empty for an intact store.
        public var problems: [String] { findings.map(\.description) }

        /// Whether the check found no problems.
        package var isClean: Bool { findings.isEmpty }

        /// Throws `DataStoreError` with the code `corrupted` if the check found a problem.
        func requireClean() throws(DataStoreError) {
            if let finding = findings.first { throw DataStoreError.damaged("\(finding)") }
        }

        /// Creates the report on a store without a readable transaction.
        init(findings: [Finding] = []) {
            recordCount = 0
            self.findings = findings
        }

        /// Checks a transaction and creates the report.
        ///
        /// - Throws: `CancellationError` if the check is cancelled. `DataStoreError` with the code `notAStore` if
        ///   another program created the environment, or `unsupportedFormat` if a newer program wrote the store.
        init(of snapshot: Snapshot, _ metaFindings: [Finding], _ cancellation: Cancellation) throws {
            var walk = SnapshotWalk(snapshot, verifiesRecords: true, cancellation)
            walk.run()
            try cancellation.check()
            if let error = walk.formatError { throw error }
            let hasOwnEntry = walk.recordCount > 0 || walk.hasFormat
            guard hasOwnEntry || walk.counts.entries == 0 || !metaFindings.isEmpty || !walk.areRecordsSound else {
                throw DataStoreError.notAStore("data.mdb belongs to another program")
            }
            recordCount = walk.recordCount
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
