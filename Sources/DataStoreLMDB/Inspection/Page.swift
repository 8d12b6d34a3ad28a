/// A page of the data file, with its nodes. Every access is bounds-checked.
struct Page {
    /// The kinds of pages in a store (`mp_flags`).
    enum Kind: UInt16 {
        case branch = 0x01, leaf = 0x02, largeValue = 0x04
    }

    /// The size of the page header in bytes. The header consists of the page number, an unused 16-bit number, the
    /// flags, and either the two bounds of the free space or the number of overflow pages.
    static let headCount = MemoryLayout<UInt>.size + 8
    static let flagsOffset = MemoryLayout<UInt>.size + 2
    private static let lowerOffset = MemoryLayout<UInt>.size + 4
    private static let upperOffset = MemoryLayout<UInt>.size + 6

    let number: PageNumber
    let bytes: [UInt8]

    /// The page number that the page itself contains.
    var storedNumber: PageNumber { bytes.number(at: 0) }

    var kind: Kind? { Kind(rawValue: bytes.number(at: Page.flagsOffset)) }

    var isBranch: Bool { kind == .branch }

    /// The number of overflow pages of the large value that begins on this page.
    var largeValuePageCount: PageNumber { PageNumber(bytes.number(at: Page.lowerOffset, as: UInt32.self)) }

    /// The number of bytes from the start of the page to the end of the list of node offsets.
    private var lower: Int { Int(bytes.number(at: Page.lowerOffset, as: UInt16.self)) }

    /// The number of bytes from the start of the page to the node at the lowest offset.
    private var upper: Int { Int(bytes.number(at: Page.upperOffset, as: UInt16.self)) }

    /// Returns the nodes of the page, which count as nodes of a leaf page unless the page is a branch page.
    ///
    /// Throws ``PageDamage`` unless the nodes fill the page from `upper` to its end, as liblmdb lays them out.
    func nodes() throws(PageDamage) -> [Node] {
        guard lower >= Page.headCount, lower.isMultiple(of: 2), lower <= upper, upper <= bytes.count else {
            throw PageDamage("its bounds \(lower) and \(upper) are invalid")
        }
        let offsets = nodeOffsets
        guard offsets.count >= (isBranch ? 2 : 1) else { throw PageDamage("it has only \(offsets.count) nodes") }
        let nodes = offsets.compactMap { Node(in: bytes, at: $0, isBranch: isBranch) }
        guard nodes.count == offsets.count else {
            throw PageDamage("a node extends beyond the page or has an unknown kind")
        }
        guard Page.tile(nodes, upper..<bytes.count) else { throw PageDamage("its nodes overlap or leave gaps") }
        return nodes
    }

    /// Returns the nodes of a leaf page that may be damaged: all nodes of an intact page, and otherwise those that may
    /// still be intact. The caller must verify their contents.
    ///
    /// The free space below `upper` may contain remains of removed nodes, which are not returned.
    func remainingNodes() -> [Node] {
        guard lower >= Page.headCount, lower <= bytes.count else { return [] }
        let nodes = nodeOffsets.compactMap { Node(in: bytes, at: $0, isBranch: false) }
        // A node begins at `upper`, unless `upper` is damaged. In that case the nodes must fill the end of the page
        // completely.
        if nodes.contains(where: { $0.start == upper }) { return nodes.filter { $0.start >= upper } }
        guard nodes.count == nodeOffsets.count, let start = nodes.map(\.start).min(), start >= lower,
            Page.tile(nodes, start..<bytes.count)
        else { return [] }
        return nodes
    }

    /// The offsets of the nodes in the page, in the order of their keys.
    private var nodeOffsets: [Int] {
        stride(from: Page.headCount, to: lower - 1, by: 2).map { Int(bytes.number(at: $0, as: UInt16.self)) }
    }

    /// Returns whether the nodes fill a range of the page without gaps and do not overlap.
    private static func tile(_ nodes: [Node], _ range: Range<Int>) -> Bool {
        let nodes = nodes.sorted { $0.start < $1.start }
        return nodes.map(\.start) + [range.upperBound] == [range.lowerBound] + nodes.map(\.end)
    }
}

/// An entry of a page (`MDB_node`), as ranges of the page's bytes.
struct Node {
    /// The content of a node, which follows the key.
    enum Content {
        /// A value in the page itself.
        case value(Range<Int>)
        /// A value of `byteCount` bytes on overflow pages. The page number refers to the first overflow page.
        case largeValue(PageNumber, byteCount: UInt)
        /// The number of a child page.
        case child(PageNumber)
    }

    static let maximumKeyCount = 511
    private static let headCount = 8
    private static let hasLargeValue: UInt16 = 0x01

    let start: Int
    let end: Int
    let key: Range<Int>
    let content: Content

    /// Decodes the node at an offset. Returns `nil` if the node extends beyond the end of the page, or has flags that
    /// this store never uses.
    init?(in bytes: [UInt8], at offset: Int, isBranch: Bool) {
        guard offset.isMultiple(of: 2), offset + Node.headCount <= bytes.count else { return nil }
        // Value size and page number share a 32-bit word in the byte order of the machine. The flags are the high bits
        // of a page number.
        let (size, flags): (UInt32, UInt16) = (bytes.number(at: offset), bytes.number(at: offset + 4))
        let keyCount = Int(bytes.number(at: offset + 6, as: UInt16.self))
        guard keyCount <= Node.maximumKeyCount, keyCount > 0 || isBranch else { return nil }
        start = offset
        key = (offset + Node.headCount)..<(offset + Node.headCount + keyCount)
        var end = key.upperBound
        if isBranch {
            content = .child(PageNumber(size) | PageNumber(flags) << 32)
        } else if flags == Node.hasLargeValue {
            content = .largeValue(bytes.number(at: end), byteCount: UInt(size))
            end += MemoryLayout<PageNumber>.size
        } else {
            guard flags == 0, UInt(size) <= UInt(bytes.count) else { return nil }
            content = .value(end..<(end + Int(size)))
            end += Int(size)
        }
        // A page has an even size, and a node begins at an even offset.
        self.end = (end + 1) & ~1
        guard self.end <= bytes.count else { return nil }
    }
}

/// An error which states that a page is damaged.
struct PageDamage: Error {
    /// The description of the damage, as a clause that follows the number of the page.
    let reason: String

    /// Whether the page is missing because the file ends before it.
    let isTruncated: Bool

    static let endOfFile = PageDamage("the file ends before it", isTruncated: true)

    init(_ reason: String, isTruncated: Bool = false) {
        self.reason = reason
        self.isTruncated = isTruncated
    }

    /// Returns the `DataStoreError`, with the code `corrupted`, for a damaged page.
    func error(at page: PageNumber) -> DataStoreError {
        DataStoreError.damaged("page \(page) of data.mdb: \(reason)", underlying: self)
    }
}

/// The number of a page in a data file, which LMDB stores as a machine word.
typealias PageNumber = UInt

extension [UInt8] {
    /// Returns the number at an offset, in the byte order of the machine. Returns 0 if the number would extend beyond
    /// the end of the bytes.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Number.Type = Number.self
    ) -> Number {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return 0 }
        // The number lies within the bytes, and every bit pattern is a valid number.
        return unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
