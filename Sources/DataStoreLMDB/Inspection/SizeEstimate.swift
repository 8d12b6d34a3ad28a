import RecordFraming

extension Snapshot {
    /// Estimates the number of records in a collection.
    ///
    /// All records share one tree. The function reads the branch pages above the collection, which are less than a
    /// hundredth of its pages, and counts the entries on a sample of its leaf pages.
    ///
    /// - Returns: The number of records, and whether every leaf page was counted.
    /// - Throws: `DataStoreError` with the code `corrupted` if a page is damaged.
    func estimatedCount(of collection: String) throws(DataStoreError) -> (number: Int, isExact: Bool) {
        var estimate = SizeEstimate(self, collection)
        do throws(PageDamage) {
            if let root = meta.records.root { try estimate.visit(root, within: (nil, nil), level: 1) }
            return try estimate.result()
        } catch {
            throw DataStoreError.damaged("a page of data.mdb: \(error.reason)", underlying: error)
        }
    }
}

/// The number of entries of a collection, from all of its branch pages and a sample of its leaf pages.
private struct SizeEstimate {
    /// The maximum number of leaf pages in the sample.
    private static let maximumSampleCount = 512

    private let snapshot: Snapshot
    /// The bounds of the keys: the lower bound is inclusive, and the upper bound is exclusive.
    private let lower: [UInt8]
    private let upper: [UInt8]
    /// The number of entries on leaf pages that may also contain entries of other collections.
    private var countAtEnds = 0
    /// The number of the other leaf pages. Every page whose index among them is a multiple of `step` is in the sample.
    private var leafCount = 0
    private var sample: [PageNumber] = []
    private var step = 1

    init(_ snapshot: Snapshot, _ collection: String) {
        self.snapshot = snapshot
        (lower, upper) = (KeyBytes.prefix(collection), Array(collection.utf8) + [1])
    }

    /// Visits a page that may contain entries of the collection, and the pages below it. The bounds of the keys, which
    /// are verified, ensure that a damaged tree leads to each branch page at most once on each level.
    mutating func visit(_ number: PageNumber, within bounds: TreePage.Bounds, level: UInt) throws(PageDamage) {
        let page = try TreePage(snapshot.page(number), in: .records, within: bounds)
        let levels = snapshot.meta.records.counts.levels
        guard page.isBranch == (level < levels) else { throw PageDamage("page \(number) is at the wrong level") }
        let (start, end) = (page.index(from: lower), page.index(from: upper))
        guard page.isBranch else { return countAtEnds += end - start }
        // The child before the first key that is not before the lower bound may contain entries, too.
        for index in max(0, start - 1)..<end {
            guard let child = page.child(index) else { continue }
            if level == levels - 1, isWhole(child.bounds) {
                add(child.number)
            } else {
                try visit(child.number, within: child.bounds, level: level + 1)
            }
        }
    }

    /// Counts a leaf page, and adds it to the sample or skips it. If the sample is full, removes every second page.
    private mutating func add(_ leaf: PageNumber) {
        if sample.count == Self.maximumSampleCount {
            sample = stride(from: 0, to: sample.count, by: 2).map { sample[$0] }
            step *= 2
        }
        if leafCount.isMultiple(of: step) { sample.append(leaf) }
        leafCount += 1
    }

    func result() throws(PageDamage) -> (number: Int, isExact: Bool) {
        var entryCount = 0
        for leaf in sample {
            let page = try TreePage(snapshot.page(leaf), in: .records, within: (nil, nil))
            guard !page.isBranch else { throw PageDamage("page \(leaf) is at the wrong level") }
            entryCount += page.nodes.count
        }
        // A sample has at most 512 pages, and a page has less than 2^16 nodes.
        return (countAtEnds + entryCount * leafCount / max(1, sample.count), step == 1)
    }

    /// Returns whether keys within bounds belong to the collection.
    private func isWhole(_ bounds: TreePage.Bounds) -> Bool {
        guard let first = bounds.lower, let end = bounds.upper else { return false }
        return !first.lexicographicallyPrecedes(lower) && !upper[...].lexicographicallyPrecedes(end)
    }
}
