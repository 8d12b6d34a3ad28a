public import DataStoreCore

extension LMDBDataStore {
    /// The result of salvaging a damaged store. ``LMDBDataStore/salvage(_:into:)`` returns it.
    public struct SalvageReport: Sendable {
        /// The number of records that were copied to the other store. Records that already existed there do not count.
        public private(set) var savedCount = 0

        /// The keys that already had a different record in the other store. These records were not replaced.
        public private(set) var keptKeys: [Key] = []

        /// The keys of damaged records as printable text. Records on unreadable pages are not listed, because their
        /// keys are unknown.
        public private(set) var lostKeys: [String] = []

        /// The problems with the pages of the damaged store.
        package let findings: [CheckReport.Finding]

        /// The number of the transaction whose records were copied.
        package let transaction: UInt64

        /// Whether the copied records may lack the changes of the last committed transaction. If so, some of the
        /// records may have an earlier value, and others may have been removed since.
        ///
        /// The value is `true` if the meta page of the last transaction is damaged, or if damage makes it impossible to
        /// distinguish free pages from pages in use.
        public let mayBeOutdated: Bool

        /// The numbers of the pages that could not be read completely.
        package var damagedPages: [UInt64] {
            Set(findings.filter { $0.kind == .damagedPage }.compactMap(\.page)).sorted()
        }

        init(_ plan: SalvagePlan) {
            findings = plan.findings
            transaction = UInt64(plan.snapshot.meta.transaction)
            mayBeOutdated = plan.mayBeOutdated
        }

        mutating func add(savedCount: Int, keptKeys: [Key], lostKeys: [String]) {
            self.savedCount += savedCount
            self.keptKeys += keptKeys
            self.lostKeys += lostKeys
        }
    }
}
