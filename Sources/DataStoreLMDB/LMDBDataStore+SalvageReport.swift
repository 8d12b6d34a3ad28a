public import DataStoreCore

extension LMDBDataStore {
    /// What salvaging a store came to.
    public struct SalvageReport: Sendable {
        /// How many records were put into the other store. Those that were there already do not count.
        public private(set) var savedCount = 0

        /// The keys under which the other store has another record. It was not replaced.
        public private(set) var keptKeys: [Key] = []

        /// The keys of the records that are damaged, as text that can be shown. Of records on pages that cannot be read
        /// not even the keys are known.
        public private(set) var lostKeys: [String] = []

        /// What is wrong with the pages of the damaged store.
        package let findings: [CheckReport.Finding]

        /// The number of the transaction whose records were looked for.
        package let transaction: UInt64

        /// Whether records may be from before the last transaction: some may have an earlier value, some may have been
        /// removed. That is so where the meta page of the last transaction is damaged, or so much that pages that are
        /// in use can no longer be told from those that are free.
        public let mayBeOutdated: Bool

        /// The pages that could not be read, or not in whole.
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
