extension LMDBDataStore.CheckReport {
    /// One thing that is wrong in a store.
    public struct Finding: Hashable, Sendable {
        /// What is wrong.
        public let kind: Kind

        /// The page that it was found at, or nil where it is not of one.
        public let page: UInt64?

        /// The key of the record that is damaged, as text that can be shown; nil where it is not of a record.
        public let key: String?

        /// What is wrong, as the end of a sentence.
        public let reason: String

        init(_ kind: Kind, page: PageNumber? = nil, key: String? = nil, _ reason: String) {
            self.kind = kind
            self.page = page.map(UInt64.init)
            self.key = key
            self.reason = reason
        }
    }
}

extension LMDBDataStore.CheckReport.Finding {
    /// The kind of a finding. New ones may be added: a `switch` needs a `default`.
    public struct Kind: Hashable, Sendable {
        private enum Name: String {
            case cutOff, damagedMeta, damagedPage, damagedFreeList, lostPages, wrongCount, badRecord
        }
        private let name: Name

        /// The file has lost its end. What was there is gone; ``LMDBDataStore/salvage(_:into:)`` saves the rest.
        public static let cutOff = Kind(name: .cutOff)
        /// A page that says where everything begins is damaged: the last transaction, or all, may be out of reach.
        public static let damagedMeta = Kind(name: .damagedMeta)
        /// A page of records is damaged: those on it or below it are out of reach.
        public static let damagedPage = Kind(name: .damagedPage)
        /// The list of free pages is damaged. All records can be read, but to write would destroy some.
        public static let damagedFreeList = Kind(name: .damagedFreeList)
        /// Pages are neither used nor free. Nothing refers to them, be it that they were lost or only forgotten.
        public static let lostPages = Kind(name: .lostPages)
        /// There is another number of records or pages than the store says.
        public static let wrongCount = Kind(name: .wrongCount)
        /// The bytes of one record, or of its key, are not those that were written.
        public static let badRecord = Kind(name: .badRecord)
    }
}

extension LMDBDataStore.CheckReport.Finding.Kind: CustomStringConvertible {
    /// The name of the kind.
    public var description: String { name.rawValue }
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
