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
    ///   - tree: The tree to which the page belongs.
    ///   - bounds: The bounds of the keys, which the branch pages above the page determine.
    /// - Throws: ``PageDamage`` if the page is damaged.
    init(_ page: Page, in tree: Tree, within bounds: Bounds) throws(PageDamage) {
        guard page.storedNumber == page.number else {
            throw PageDamage("its header has the wrong page number \(page.storedNumber)")
        }
        isBranch = page.kind == .branch
        guard isBranch || page.kind == .leaf else { throw PageDamage("not a page of a tree") }
        nodes = try page.nodes(isBranch: isBranch)
        (self.page, self.bounds) = (page, bounds)
        try checkKeys(tree)
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
                Tree.records.isAscending(self.key(middle), key[...])
                ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private func checkKeys(_ tree: Tree) throws(PageDamage) {
        // The first key of a branch page is not used.
        let keys = nodes.dropFirst(isBranch ? 1 : 0).map { page.bytes[$0.key] }
        guard keys.allSatisfy({ !$0.isEmpty && tree.isKey($0) }) else { throw PageDamage("a key on it is invalid") }
        guard zip(keys, keys.dropFirst()).allSatisfy({ tree.isAscending($0, $1) }) else {
            throw PageDamage("its keys are not in order")
        }
        if let first = keys.first, let lower = bounds.lower, tree.isAscending(first, lower) {
            throw PageDamage("its first key is too small for its position in the tree")
        }
        if let last = keys.last, let upper = bounds.upper, !tree.isAscending(last, upper) {
            throw PageDamage("its last key is too large for its position in the tree")
        }
    }
}

/// One of the two trees of a data file.
enum Tree {
    /// The free list, whose keys are transaction numbers in the byte order of the machine.
    case free
    /// The records, whose keys are in the order of their bytes, as `memcmp` compares them. A key comes after each of
    /// its prefixes.
    case records

    /// Returns whether both keys are valid and the left key comes before the right one.
    func isAscending(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .records: return left.lexicographicallyPrecedes(right)
        case .free:
            guard let left = Tree.transaction(left), let right = Tree.transaction(right) else { return false }
            return left < right
        }
    }

    /// Returns whether bytes are a valid key of the tree.
    func isKey(_ bytes: ArraySlice<UInt8>) -> Bool { self == .records || bytes.count == MemoryLayout<UInt>.size }

    /// Returns the transaction number in a key of the free list, or `nil` if the key is invalid.
    static func transaction(_ key: ArraySlice<UInt8>) -> UInt? {
        key.count == MemoryLayout<UInt>.size ? Array(key).number(at: 0, as: UInt.self) : nil
    }
}

/// The description of one of the two trees in a meta page (`MDB_db`).
struct TreeHead: Equatable {
    static let byteCount = 8 + 5 * MemoryLayout<UInt>.size

    /// The root page number of a tree without pages.
    private static let noPage = PageNumber.max

    /// The page size in the description of the free list, and 0 in the description of the tree of records.
    let pad: UInt32
    let flags: UInt16
    /// The number of pages on the path from the root to a leaf, including both.
    let depth: UInt16
    let branchCount: UInt
    let leafCount: UInt
    let largeValuePageCount: UInt
    let entryCount: UInt
    private let rootNumber: PageNumber

    /// The root page, or `nil` if the tree is empty.
    var root: PageNumber? { rootNumber == TreeHead.noPage ? nil : rootNumber }

    /// Decodes the description at an offset of a meta page. Returns `nil` if the bytes end too early.
    init?(_ bytes: [UInt8], at offset: Int) {
        let words = (0..<5).compactMap { bytes.number(at: offset + 8 + $0 * MemoryLayout<UInt>.size, as: UInt.self) }
        guard words.count == 5, let pad = bytes.number(at: offset, as: UInt32.self),
            let flags = bytes.number(at: offset + 4, as: UInt16.self),
            let depth = bytes.number(at: offset + 6, as: UInt16.self)
        else { return nil }
        (self.pad, self.flags, self.depth) = (pad, flags, depth)
        (branchCount, leafCount, largeValuePageCount) = (words[0], words[1], words[2])
        (entryCount, rootNumber) = (words[3], words[4])
    }

    /// Returns a description of damage that is visible without reading other pages, or `nil` if no damage is visible.
    /// `lastPage` is the number of the last page of the store.
    func damage(lastPage: PageNumber) -> String? {
        guard let root else {
            return depth == 0 && entryCount == 0 && leafCount == 0 && branchCount == 0 && largeValuePageCount == 0
                ? nil : "a tree has entries, but no root"
        }
        guard root >= Meta.count, root <= lastPage else { return "the root of a tree, page \(root), does not exist" }
        guard (1...TreeHead.maximumDepth).contains(Int(depth)) else { return "a tree has the invalid depth \(depth)" }
        guard entryCount > 0, leafCount > 0 else { return "a tree has a root, but no entries" }
        guard entryCount <= UInt(Int.max) else { return "a tree has \(entryCount) entries, which is out of range" }
        guard [branchCount, leafCount, largeValuePageCount].allSatisfy({ $0 < lastPage }) else {
            return "a tree has more pages than the file"
        }
        return nil
    }

    /// The maximum depth of a tree that liblmdb supports (`CURSOR_STACK`).
    static let maximumDepth = 32
}

/// The progress of a ``SnapshotWalk`` in one tree: the numbers of pages and entries that it has visited, and the depth
/// of the leaf pages.
struct TreeProgress {
    let kind: Tree
    var isSound = true
    var branchCount: UInt = 0
    var leafCount: UInt = 0
    var largeValuePageCount: UInt = 0
    var entryCount: UInt = 0
    /// The depth of the leaf pages, or `nil` before the first one. All leaf pages must have the same depth.
    var depth: Int?
    /// Whether the walk has visited the record with the format version.
    var hasFormat = false

    /// Compares the counts of the walk with those in the meta page. Returns a description of the first difference, or
    /// `nil` if all counts are equal.
    func difference(from head: TreeHead) -> String? {
        let what = kind == .free ? "the tree of free pages" : "the tree of records"
        let counts: [(String, UInt, UInt)] = [
            ("levels", UInt(depth ?? 0), UInt(head.depth)), ("branches", branchCount, head.branchCount),
            ("leaves", leafCount, head.leafCount), ("entries", entryCount, head.entryCount),
            ("pages of large values", largeValuePageCount, head.largeValuePageCount),
        ]
        guard let (name, found, recorded) = counts.first(where: { $0.1 != $0.2 }) else { return nil }
        return "\(what) has \(found) \(name), but the meta page records \(recorded)"
    }
}
