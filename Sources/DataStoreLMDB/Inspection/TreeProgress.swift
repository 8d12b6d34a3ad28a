/// What is known of a tree that is being walked.
struct TreeProgress {
    /// Which of the two trees it is.
    enum Kind { case free, records }

    let kind: Kind
    var isSound = true
    var branchCount: UInt = 0
    var leafCount: UInt = 0
    var largeValuePageCount: UInt = 0
    var entryCount: UInt = 0
    /// How deep the leaves are: all are as deep as the first.
    var depth: Int?
    /// Whether the record of the store's format was there.
    var hasFormat = false

    init(_ kind: Kind) { self.kind = kind }

    /// How the keys are ordered.
    var order: KeyOrder { kind == .free ? .integers : .bytes }

    /// What the meta page says otherwise, if anything.
    func difference(from head: TreeHead) -> String? {
        let what = kind == .free ? "the tree of free pages" : "the tree of records"
        let counts: [(String, UInt, UInt)] = [
            ("levels", UInt(depth ?? 0), UInt(head.depth)), ("branches", branchCount, head.branchCount),
            ("leaves", leafCount, head.leafCount), ("entries", entryCount, head.entryCount),
            ("pages of large values", largeValuePageCount, head.largeValuePageCount),
        ]
        guard let (name, found, told) = counts.first(where: { $0.1 != $0.2 }) else { return nil }
        return "\(what) has \(found) \(name), the meta page says \(told)"
    }
}
