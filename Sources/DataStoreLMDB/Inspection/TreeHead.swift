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
        guard [branchCount, leafCount, largeValuePageCount].allSatisfy({ $0 < lastPage }) else {
            return "a tree has more pages than the file"
        }
        return nil
    }

    /// The maximum depth of a tree that liblmdb supports (`CURSOR_STACK`).
    static let maximumDepth = 32
}
