/// These functions walk one tree from its root downwards.
extension SnapshotWalk {
    /// Walks a page and the pages below it.
    mutating func visit(_ number: PageNumber, from parent: PageNumber, level: Int, within bounds: TreePage.Bounds) {
        guard !isCancelled() else { return }
        guard number >= Meta.count, number <= snapshot.meta.lastPage else {
            return note(PageDamage("it refers to page \(number), which does not exist"), at: parent)
        }
        guard used.insert(number) else { return note(PageDamage("several pages refer to it"), at: number) }
        guard let page = validPage(number, level: level, within: bounds) else { return }
        for (index, node) in page.nodes.enumerated() {
            if let child = page.child(index) {
                visit(child.number, from: number, level: level + 1, within: child.bounds)
            } else {
                addEntry(node, of: page.page)
            }
        }
    }

    /// Reads and verifies a page. If the page is damaged, records the damage and returns `nil`.
    private mutating func validPage(_ number: PageNumber, level: Int, within bounds: TreePage.Bounds) -> TreePage? {
        do throws(PageDamage) {
            let page = try snapshot.page(number)
            let isLeaf = page.kind == .leaf || page.kind == nil && level == snapshot.meta.records.depth
            if tree.kind == .records, isLeaf { leaves.insert(number) }
            let verified = try TreePage(page, in: tree.order, within: bounds)
            try count(isBranch: verified.isBranch, level: level)
            return verified
        } catch {
            note(error, at: number)
            return nil
        }
    }

    private mutating func count(isBranch: Bool, level: Int) throws(PageDamage) {
        guard !isBranch else {
            guard level < TreeHead.maximumDepth else { throw PageDamage("the tree is too deep") }
            tree.branchCount += 1
            return
        }
        let depth = tree.depth ?? level
        guard level == depth else {
            throw PageDamage("it is a leaf at level \(level) of the tree, and the other leaves are at level \(depth)")
        }
        tree.depth = level
        tree.leafCount += 1
    }
}
