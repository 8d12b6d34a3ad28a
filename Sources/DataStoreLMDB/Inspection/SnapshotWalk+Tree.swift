/// The walk of one tree, from its root down.
extension SnapshotWalk {
    /// The bounds of the keys on a page. The lower bound is inclusive, the upper bound exclusive.
    typealias Bounds = (lower: ArraySlice<UInt8>?, upper: ArraySlice<UInt8>?)

    /// Walks a page and the pages below it.
    mutating func visit(_ number: PageNumber, from parent: PageNumber, level: Int, within bounds: Bounds) {
        guard !isCancelled() else { return }
        guard number >= Meta.count, number <= snapshot.meta.lastPage else {
            return note(PageDamage("it refers to page \(number), which does not exist"), at: parent)
        }
        guard used.insert(number) else { return note(PageDamage("several pages refer to it"), at: number) }
        guard let (page, nodes) = validPage(number, level: level, within: bounds) else { return }
        for (index, node) in nodes.enumerated() {
            switch node.content {
            case .child(let child):
                let lower = index == 0 ? bounds.lower : page.bytes[node.key]
                let upper = index + 1 < nodes.count ? page.bytes[nodes[index + 1].key] : bounds.upper
                visit(child, from: number, level: level + 1, within: (lower, upper))
            case .value, .largeValue: addEntry(node, of: page)
            }
        }
    }

    /// Returns a page and its nodes. If the page is damaged, records the damage and returns `nil`.
    private mutating func validPage(
        _ number: PageNumber, level: Int, within bounds: Bounds
    ) -> (page: Page, nodes: [Node])? {
        do throws(PageDamage) {
            let page = try snapshot.page(number)
            let isLeaf = page.kind == .leaf || page.kind == nil && level == snapshot.meta.records.depth
            if tree.kind == .records, isLeaf { leaves.insert(number) }
            guard page.storedNumber == number else {
                throw PageDamage("its header has the page number \(page.storedNumber)")
            }
            let isBranch = page.kind == .branch
            guard isBranch || page.kind == .leaf else { throw PageDamage("not a page of a tree") }
            let nodes = try page.nodes(isBranch: isBranch)
            // The first key of a branch page is not used.
            try check(nodes.dropFirst(isBranch ? 1 : 0).map { page.bytes[$0.key] }, within: bounds)
            try count(page, isBranch: isBranch, level: level)
            return (page, nodes)
        } catch {
            note(error, at: number)
            return nil
        }
    }

    private func check(_ keys: [ArraySlice<UInt8>], within bounds: Bounds) throws(PageDamage) {
        let order = tree.order
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

    private mutating func count(_ page: Page, isBranch: Bool, level: Int) throws(PageDamage) {
        guard !isBranch else {
            guard level < TreeHead.maximumDepth else { throw PageDamage("the tree is too deep") }
            tree.branchCount += 1
            return
        }
        guard level == tree.depth ?? level else { throw PageDamage("its depth differs from that of the other leaves") }
        tree.depth = level
        tree.leafCount += 1
    }
}
