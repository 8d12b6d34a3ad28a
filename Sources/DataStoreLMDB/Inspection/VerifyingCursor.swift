/// A cursor in the records of a snapshot. It reads pages without liblmdb and verifies each page before it uses the
/// page.
///
/// A damaged page causes an error. It cannot cause an endless loop, because the depth of the tree is bounded and the
/// key bounds of successive pages ascend. The cursor does not verify the checksums of records.
struct VerifyingCursor: EntryCursor {
    private let snapshot: Snapshot
    /// The pages from the root to a leaf, each with the index of a node. The path is empty before the first move.
    private var path: [(page: TreePage, index: Int)] = []

    init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    mutating func moveToFirst(from bytes: Span<UInt8>) throws(DataStoreError) -> Bool {
        try seek(bytes)
        return try turnIfNeeded(isReversed: false)
    }

    mutating func moveToLast(before bytes: Span<UInt8>) throws(DataStoreError) -> Bool {
        try seek(bytes)
        return try move(isReversed: true)
    }

    /// Moves to the next or previous entry. The bounds of the pages ensure the order of the keys.
    mutating func move(isReversed: Bool) throws(DataStoreError) -> Bool {
        guard !path.isEmpty else { return false }
        path[path.count - 1].index += isReversed ? -1 : 1
        return try turnIfNeeded(isReversed: isReversed)
    }

    func withEntry<Result>(
        _ body: (Span<UInt8>, Span<UInt8>) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let (page, index) = path[path.count - 1]
        let (bytes, node) = (page.page.bytes, page.nodes[index])
        let key = bytes.span.extracting(node.key)
        if case .value(let range) = node.content { return try body(key, bytes.span.extracting(range)) }
        let value: [UInt8]
        do throws(PageDamage) {
            if case .largeValue(let first, let byteCount) = node.content {
                _ = try snapshot.verifiedPageCount(ofLargeValueAt: first, byteCount: byteCount)
            }
            value = try snapshot.value(of: node, in: page.page)
        } catch {
            throw error.error(at: page.page.number)
        }
        return try body(key, value.span)
    }

    /// Moves to the first entry whose key is not before the given bytes. If no such entry exists, moves beyond the last
    /// entry.
    private mutating func seek(_ bytes: Span<UInt8>) throws(DataStoreError) {
        let key = bytes.indices.map { bytes[$0] }
        path.removeAll(keepingCapacity: true)
        guard let root = snapshot.meta.records.root else { return }
        try descend(to: root, within: (nil, nil)) { page in
            let index = page.index(from: key)
            guard page.isBranch else { return index }
            return index < page.nodes.count && page.key(index).elementsEqual(key) ? index : index - 1
        }
    }

    /// Moves to the adjacent leaf page, if it exists and the position is beyond the entries of its leaf page. Returns
    /// whether the position is at an entry.
    private mutating func turnIfNeeded(isReversed: Bool) throws(DataStoreError) -> Bool {
        guard let (leaf, index) = path.last else { return false }
        if leaf.nodes.indices.contains(index) { return true }
        let step = isReversed ? -1 : 1
        let level = path.indices.dropLast().last { path[$0].page.nodes.indices.contains(path[$0].index + step) }
        guard let level else { return false }
        path.removeSubrange((level + 1)...)
        path[level].index += step
        guard let child = path[level].page.child(path[level].index) else { return false }
        try descend(to: child.number, within: child.bounds) { isReversed ? $0.nodes.count - 1 : 0 }
        return true
    }

    /// Extends the path from a page to a leaf page. `choose` returns the index of the node to follow on each page.
    private mutating func descend(
        to number: PageNumber, within bounds: TreePage.Bounds, _ choose: (TreePage) -> Int
    ) throws(DataStoreError) {
        do throws(PageDamage) {
            let page = try TreePage(snapshot.page(number), in: .records, within: bounds)
            guard page.isBranch == (path.count + 1 < snapshot.meta.records.counts.levels) else {
                throw PageDamage("its level in the tree does not match the depth in the meta page")
            }
            path.append((page, choose(page)))
        } catch {
            throw error.error(at: number)
        }
        let (page, index) = path[path.count - 1]
        guard page.isBranch, let child = page.child(index) else { return }
        try descend(to: child.number, within: child.bounds, choose)
    }
}
