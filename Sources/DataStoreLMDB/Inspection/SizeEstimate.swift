import DataStoreCore
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
        guard let root = meta.records.root else { return (0, true) }
        var estimate = SizeEstimate(self, collection)
        do throws(PageDamage) {
            try estimate.visit(root, within: (nil, nil), level: 1)
            return try estimate.result()
        } catch {
            throw DataStoreError.damaged("a page of data.mdb: \(error.reason)", underlying: error)
        }
    }
}

/// The pages of a collection. Pages that belong to it as a whole are counted by their headers.
private struct SizeEstimate {
    /// The number of leaf pages that are counted, besides those below the first and the last branch page.
    private static let sampleCount = 256

    private let snapshot: Snapshot
    /// The bounds of the keys: the lower bound is inclusive, and the upper bound is exclusive.
    private let lower: [UInt8]
    private let upper: [UInt8]
    private let depth: Int
    /// The number of entries below the first and the last branch page.
    private var countAtEnds = 0
    /// The branch pages between them, whose children are leaf pages. Each has the number of leaf pages before its own.
    private var parents: [(number: PageNumber, start: Int)] = []
    /// The number of leaf pages below these branch pages.
    private var leafCount = 0

    init(_ snapshot: Snapshot, _ collection: String) {
        self.snapshot = snapshot
        (lower, upper) = (KeyBytes.prefix(collection), Array(collection.utf8) + [1])
        depth = Int(snapshot.meta.records.depth)
    }

    /// Visits a page that may contain entries of the collection, and the pages below it.
    mutating func visit(_ number: PageNumber, within bounds: TreePage.Bounds, level: Int) throws(PageDamage) {
        let isWhole = contains(bounds)
        if isWhole, level == depth { return countAtEnds += try page(number, .leaf).nodeCount }
        if isWhole, level == depth - 1 {
            // A page that several pages name would count, and take memory, several times.
            guard parents.count < snapshot.meta.records.branchCount else {
                throw PageDamage("there are more branch pages than the tree has")
            }
            parents.append((number, leafCount))
            return leafCount += try page(number, .branch).nodeCount
        }
        let page = try TreePage(snapshot.page(number), in: .records, within: bounds)
        guard page.isBranch == (level < depth) else { throw PageDamage("page \(number) is at the wrong level") }
        let (start, end) = (page.index(from: lower), page.index(from: upper))
        guard page.isBranch else { return countAtEnds += end - start }
        // The child before the first key that is not before the lower bound may contain entries, too.
        for index in max(0, start - 1)..<end {
            if let child = page.child(index) { try visit(child.number, within: child.bounds, level: level + 1) }
        }
    }

    func result() throws(PageDamage) -> (number: Int, isExact: Bool) {
        let sampleCount = min(leafCount, Self.sampleCount)
        guard sampleCount > 0 else { return (countAtEnds, true) }
        var entryCount = 0
        for sample in 0..<sampleCount {
            let index = sample * leafCount / sampleCount
            guard let parent = parents.last(where: { $0.start <= index }),
                let leaf = try page(parent.number, .branch).child(index - parent.start)
            else { throw PageDamage("a node of a branch page is invalid") }
            entryCount += try page(leaf, .leaf).nodeCount
        }
        let (product, isTooLarge) = entryCount.multipliedReportingOverflow(by: leafCount)
        if isTooLarge { throw PageDamage("the tree has more pages than the file") }
        return (countAtEnds + product / sampleCount, sampleCount == leafCount)
    }

    /// Reads a page of a kind.
    private func page(_ number: PageNumber, _ kind: Page.Kind) throws(PageDamage) -> Page {
        let page = try snapshot.page(number)
        guard page.storedNumber == number, page.kind == kind, page.hasValidBounds else {
            throw PageDamage("page \(number) is not the expected page")
        }
        return page
    }

    private func contains(_ bounds: TreePage.Bounds) -> Bool {
        guard let first = bounds.lower, let end = bounds.upper else { return false }
        return !first.lexicographicallyPrecedes(lower) && !upper[...].lexicographicallyPrecedes(end)
    }
}
