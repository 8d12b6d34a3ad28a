/// The progress of a ``SnapshotWalk`` in one tree: the numbers of pages and entries that it has visited, and the depth
/// of the leaf pages.
struct TreeProgress {
    /// The two trees of a data file: the free list and the records.
    enum Kind { case free, records }

    let kind: Kind
    var isSound = true
    var branchCount: UInt = 0
    var leafCount: UInt = 0
    var largeValuePageCount: UInt = 0
    var entryCount: UInt = 0
    /// The depth of the leaf pages, or `nil` before the first one. All leaf pages must have the same depth.
    var depth: Int?
    /// Whether the walk has visited the record with the format version.
    var hasFormat = false

    init(_ kind: Kind) { self.kind = kind }

    /// The order of the keys in the tree.
    var order: KeyOrder { kind == .free ? .integers : .bytes }

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
