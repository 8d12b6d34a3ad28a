import RecordFraming

extension LMDBDataStore.CheckReport {
    /// A problem that a check of a store has found.
    package struct Finding: Hashable, Sendable {
        /// The kind of the problem.
        package let kind: Kind

        /// The number of the damaged page, or `nil` if the problem does not concern a page.
        package let page: UInt64?

        /// The key of the damaged record as printable text, or `nil` if the problem does not concern a record.
        package let key: String?

        /// The description of the problem, as a clause to which ``description`` adds the object or the page.
        package let reason: String

        /// What the problem concerns, e.g. `the record users/me`, or `nil` if it does not concern a record.
        private let object: String?

        init(_ kind: Kind, page: PageNumber? = nil, _ reason: String) {
            self.kind = kind
            self.page = page.map(UInt64.init)
            (key, object) = (nil, nil)
            self.reason = reason
        }

        /// Creates the finding of a damaged entry.
        init(_ page: PageNumber? = nil, key: ArraySlice<UInt8>, in snapshot: Snapshot, _ reason: String) {
            kind = .badRecord
            self.page = page.map(UInt64.init)
            self.key = KeyBytes.text(of: key)
            object = snapshot.object(of: key)
            self.reason = reason
        }
    }
}

extension LMDBDataStore.CheckReport.Finding {
    /// A kind of problem in a data file.
    package enum Kind: Sendable {
        /// The end of the file is missing. ``LMDBDataStore/salvage(_:into:)`` copies the remaining records.
        case truncated
        /// A meta page, which refers to the roots of the trees, is damaged. The last transaction, or every transaction,
        /// may be unreachable.
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
}

extension LMDBDataStore.CheckReport.Finding: CustomStringConvertible {
    /// A sentence that locates and describes the problem.
    package var description: String {
        switch (object, page) {
        case (let object?, _): "\(object): \(reason)"
        case (nil, let page?): "page \(page): \(reason)"
        case (nil, nil): reason
        }
    }
}
