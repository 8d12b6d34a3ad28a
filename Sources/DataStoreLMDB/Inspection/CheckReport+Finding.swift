extension LMDBDataStore.CheckReport {
    /// One thing that is wrong in a store.
    public struct Finding: Hashable, Sendable {
        /// What is wrong.
        package let kind: Kind

        /// The page that it was found at, or nil where it is not of one.
        package let page: UInt64?

        /// The key of the record that is damaged, as text that can be shown; nil where it is not of a record.
        package let key: String?

        /// What is wrong, as the end of a sentence.
        package let reason: String

        init(_ kind: Kind, page: PageNumber? = nil, key: String? = nil, _ reason: String) {
            self.kind = kind
            self.page = page.map(UInt64.init)
            self.key = key
            self.reason = reason
        }
    }
}

extension LMDBDataStore.CheckReport.Finding {
    /// The kind of a finding.
    package enum Kind: Sendable {
        /// The file has lost its end. ``LMDBDataStore/salvage(_:into:)`` copies the rest.
        case cutOff
        /// A page that says where the trees begin is damaged: the last transaction, or all, may be out of reach.
        case damagedMeta
        /// A page of records is damaged: the records on it or below it are out of reach.
        case damagedPage
        /// The list of free pages is damaged. All records can be read, but a write would destroy some.
        case damagedFreeList
        /// Pages are neither used nor free.
        case lostPages
        /// The number of records or pages differs from the one that the store has recorded.
        case wrongCount
        /// The bytes of one record, or of its key, are damaged.
        case badRecord
    }
}

extension LMDBDataStore.CheckReport.Finding: CustomStringConvertible {
    /// One sentence: where it is and what is wrong.
    public var description: String {
        switch (key, page) {
        case (let key?, _): "the record \(key): \(reason)"
        case (nil, let page?): "page \(page): \(reason)"
        case (nil, nil): reason
        }
    }
}
