public import DataStoreCore

extension LMDBDataStore {
    /// The result of salvaging a store.
    public struct SalvageReport: Sendable {
        /// The number of records that were copied to the other store. Records that already existed there do not count.
        public private(set) var savedCount = 0

        /// The keys that have a different record in the other store, which was not replaced.
        public private(set) var keptKeys: [Key] = []

        /// The keys of damaged records, as printable text. Keys of records on unreadable pages are unknown and missing
        /// here.
        public private(set) var lostKeys: [String] = []

        /// The problems with the pages of the damaged store.
        package let findings: [CheckReport.Finding]

        /// The number of the transaction whose records were searched for.
        package let transaction: UInt64

        /// Whether records may be older than the last transaction: some may have an earlier value, others may have been
        /// removed. This happens if the meta page of the last transaction is damaged, or if pages in use can no longer
        /// be distinguished from free pages.
        public let mayBeOutdated: Bool

        /// The pages that could not be read completely.
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
