/// The progress of the walk of a tree.
struct TreeProgress {
    /// The two trees.
    enum Kind { case free, records }

    let kind: Kind
    var isSound = true
    var branchCount: UInt = 0
    var leafCount: UInt = 0
    var largeValuePageCount: UInt = 0
    var entryCount: UInt = 0
    /// The depth of the leaf pages. All have the depth of the first one.
    var depth: Int?
    /// Whether the tree contains the record of the store's format.
    var hasFormat = false

    init(_ kind: Kind) { self.kind = kind }

    /// The order of the keys.
    var order: KeyOrder { kind == .free ? .integers : .bytes }

    /// Returns the first difference from the counts in the meta page, or `nil`.
    func difference(from head: TreeHead) -> String? {
        let what = kind == .free ? "the tree of free pages" : "the tree of records"
        let counts: [(String, UInt, UInt)] = [
            ("levels", UInt(depth ?? 0), UInt(head.depth)), ("branches", branchCount, head.branchCount),
            ("leaves", leafCount, head.leafCount), ("entries", entryCount, head.entryCount),
            ("pages of large values", largeValuePageCount, head.largeValuePageCount),
        ]
        guard let (name, found, recorded) = counts.first(where: { $0.1 != $0.2 }) else { return nil }
        return "\(what) has \(found) \(name), the meta page says \(recorded)"
    }
}
