/// What a meta page says about one of the two trees (`MDB_db`).
struct TreeHead: Equatable {
    static let byteCount = 8 + 5 * MemoryLayout<UInt>.size

    /// The root of a tree without pages.
    private static let noPage = PageNumber.max

    /// The page size for the tree of free pages, 0 for the other.
    let pad: UInt32
    let flags: UInt16
    /// How many pages are on the way from the root to a leaf, both included.
    let depth: UInt16
    let branchCount: UInt
    let leafCount: UInt
    let largeValuePageCount: UInt
    let entryCount: UInt
    private let rootNumber: PageNumber

    /// The root, or nil where the tree is empty.
    var root: PageNumber? { rootNumber == TreeHead.noPage ? nil : rootNumber }

    /// Reads it from a meta page, which has it in whole.
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

    /// What cannot be true in a store whose last page is `lastPage`, if anything.
    func damage(lastPage: PageNumber) -> String? {
        guard let root else {
            return depth == 0 && entryCount == 0 && leafCount == 0 && branchCount == 0 && largeValuePageCount == 0
                ? nil : "a tree has no root, but something in it"
        }
        guard root >= Meta.count, root <= lastPage else { return "the root of a tree is page \(root)" }
        guard (1...TreeHead.maximumDepth).contains(Int(depth)) else { return "the depth of a tree is \(depth)" }
        guard entryCount > 0, leafCount > 0 else { return "a tree has a root, but nothing in it" }
        guard [branchCount, leafCount, largeValuePageCount].allSatisfy({ $0 < lastPage }) else {
            return "a tree has more pages than there are"
        }
        return nil
    }

    /// What liblmdb has room for (`CURSOR_STACK`).
    static let maximumDepth = 32
}
