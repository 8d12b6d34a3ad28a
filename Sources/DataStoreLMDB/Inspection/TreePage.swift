/// A page of a tree whose header, nodes and keys have been verified.
struct TreePage: Sendable {
    /// The bounds of the keys on a page. The lower bound is inclusive, and the upper bound is exclusive. `nil` means
    /// that the keys have no bound on that side.
    typealias Bounds = (lower: ArraySlice<UInt8>?, upper: ArraySlice<UInt8>?)

    let page: Page
    let nodes: [Node]
    private let bounds: Bounds

    var isBranch: Bool { page.isBranch }

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
        guard page.isBranch || page.kind == .leaf else { throw PageDamage("not a page of a tree") }
        nodes = try page.nodes()
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
        nodes.indices.dropFirst(isBranch ? 1 : 0).first { !self.key($0).lexicographicallyPrecedes(key) } ?? nodes.count
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

    /// Returns whether the left of two valid keys comes before the right one.
    func isAscending(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        self == .records ? left.lexicographicallyPrecedes(right) : Tree.transaction(left) < Tree.transaction(right)
    }

    /// Returns whether bytes are a valid key of the tree.
    func isKey(_ bytes: ArraySlice<UInt8>) -> Bool { self == .records || bytes.count == MemoryLayout<UInt>.size }

    /// Returns the transaction number in a valid key of the free list.
    static func transaction(_ key: ArraySlice<UInt8>) -> UInt { Array(key).number(at: 0) }
}

/// The numbers of levels, pages and entries of a tree.
struct TreeCounts: Equatable {
    /// The number of pages on the path from the root to a leaf, including both.
    var levels: UInt = 0
    var branches: UInt = 0
    var leaves: UInt = 0
    var largeValuePages: UInt = 0
    var entries: UInt = 0

    /// Compares the counts with those in the meta page. Returns a description of the first difference, or `nil` if all
    /// counts are equal.
    func difference(from recorded: TreeCounts) -> String? {
        let pairs = [
            ("levels", levels, recorded.levels), ("branches", branches, recorded.branches),
            ("leaves", leaves, recorded.leaves), ("entries", entries, recorded.entries),
            ("pages of large values", largeValuePages, recorded.largeValuePages),
        ]
        return pairs.first { $0.1 != $0.2 }.map { "\($0.1) \($0.0), but the meta page records \($0.2)" }
    }
}

/// The description of one of the two trees in a meta page (`MDB_db`).
struct TreeHead: Equatable {
    static let byteCount = 8 + 5 * MemoryLayout<UInt>.size

    /// The page size in the description of the free list, and 0 in the description of the tree of records.
    let pad: UInt32
    let flags: UInt16
    let counts: TreeCounts
    /// The root page, or `nil` if the tree is empty.
    let root: PageNumber?

    /// Decodes the description at an offset of a meta page.
    init(_ bytes: [UInt8], at offset: Int) {
        func word(_ index: Int) -> UInt { bytes.number(at: offset + 8 + index * MemoryLayout<UInt>.size) }
        pad = bytes.number(at: offset)
        flags = bytes.number(at: offset + 4)
        counts = TreeCounts(
            levels: UInt(bytes.number(at: offset + 6, as: UInt16.self)), branches: word(0), leaves: word(1),
            largeValuePages: word(2), entries: word(3))
        root = word(4) == .max ? nil : word(4)
    }

    /// Returns a description of damage that is visible without reading other pages, or `nil` if no damage is visible.
    /// `lastPage` is the number of the last page of the store.
    func damage(lastPage: PageNumber) -> String? {
        guard let root else { return counts == TreeCounts() ? nil : "a tree has entries, but no root" }
        guard root >= Meta.count, root <= lastPage else { return "the root of a tree, page \(root), does not exist" }
        guard (1...TreeHead.maximumDepth).contains(counts.levels) else {
            return "a tree has the invalid depth \(counts.levels)"
        }
        guard counts.entries > 0, counts.leaves > 0 else { return "a tree has a root, but no entries" }
        guard counts.entries <= UInt(Int.max) else {
            return "a tree has \(counts.entries) entries, which is out of range"
        }
        guard max(counts.branches, counts.leaves, counts.largeValuePages) < lastPage else {
            return "a tree has more pages than the file"
        }
        return nil
    }

    /// The maximum depth of a tree that liblmdb supports (`CURSOR_STACK`).
    static let maximumDepth: UInt = 32
}
