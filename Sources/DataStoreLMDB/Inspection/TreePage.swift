/// A page of a tree whose header, nodes and keys have been verified.
struct TreePage: Sendable {
    /// The bounds of the keys on a page. The lower bound is inclusive, and the upper bound is exclusive. `nil` means
    /// that the keys have no bound on that side.
    typealias Bounds = (lower: ArraySlice<UInt8>?, upper: ArraySlice<UInt8>?)

    let page: Page
    let nodes: [Node]
    let isBranch: Bool
    private let bounds: Bounds

    /// Verifies a page.
    ///
    /// - Parameters:
    ///   - page: The page to verify.
    ///   - order: The order of the keys of the tree.
    ///   - bounds: The bounds of the keys, which the branch pages above the page determine.
    /// - Throws: ``PageDamage`` if the page is damaged.
    init(_ page: Page, in order: KeyOrder, within bounds: Bounds) throws(PageDamage) {
        guard page.storedNumber == page.number else {
            throw PageDamage("its header has the wrong page number \(page.storedNumber)")
        }
        isBranch = page.kind == .branch
        guard isBranch || page.kind == .leaf else { throw PageDamage("not a page of a tree") }
        nodes = try page.nodes(isBranch: isBranch)
        (self.page, self.bounds) = (page, bounds)
        try checkKeys(order)
    }

    /// Returns the key of the node at an index.
    func key(_ index: Int) -> ArraySlice<UInt8> { page.bytes[nodes[index].key] }

    /// Returns the child page of the node at an index, with the bounds of its keys. Returns `nil` on a leaf page.
    func child(_ index: Int) -> (number: PageNumber, bounds: Bounds)? {
        guard case .child(let number) = nodes[index].content else { return nil }
        return (
            number, (index == 0 ? bounds.lower : key(index), index + 1 < nodes.count ? key(index + 1) : bounds.upper)
        )
    }

    /// Returns the index of the first node whose key is not before the given key, or the number of nodes if there is
    /// none.
    func index(from key: [UInt8]) -> Int {
        // The first key of a branch page is not used.
        var range = (isBranch ? 1 : 0)..<nodes.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range =
                KeyOrder.bytes.isAscending(self.key(middle), key[...])
                ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private func checkKeys(_ order: KeyOrder) throws(PageDamage) {
        // The first key of a branch page is not used.
        let keys = nodes.dropFirst(isBranch ? 1 : 0).map { page.bytes[$0.key] }
        guard keys.allSatisfy({ !$0.isEmpty && order.isKey($0) }) else { throw PageDamage("a key on it is invalid") }
        guard zip(keys, keys.dropFirst()).allSatisfy({ order.isAscending($0, $1) }) else {
            throw PageDamage("its keys are not in order")
        }
        if let first = keys.first, let lower = bounds.lower, order.isAscending(first, lower) {
            throw PageDamage("its first key is too small for its position in the tree")
        }
        if let last = keys.last, let upper = bounds.upper, !order.isAscending(last, upper) {
            throw PageDamage("its last key is too large for its position in the tree")
        }
    }
}
