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
        // Value size and page number share a 32-bit word in the byte order of the machine. The flags are the high bits
        // of a page number.
        guard offset.isMultiple(of: 2), let size = bytes.number(at: offset, as: UInt32.self),
            let flags = bytes.number(at: offset + 4, as: UInt16.self),
            let keyCount = bytes.number(at: offset + 6, as: UInt16.self),
            keyCount <= Node.maximumKeyCount, keyCount > 0 || isBranch
        else { return nil }
        start = offset
        key = (offset + Node.headCount)..<(offset + Node.headCount + Int(keyCount))
        var end = key.upperBound
        if isBranch {
            content = .child(PageNumber(size) | PageNumber(flags) << 32)
        } else if flags == Node.hasLargeValue {
            guard let first = bytes.number(at: end, as: PageNumber.self) else { return nil }
            content = .largeValue(first, byteCount: UInt(size))
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
