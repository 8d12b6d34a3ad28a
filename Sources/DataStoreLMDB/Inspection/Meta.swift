/// The contents of a meta page (`MDB_meta`): the roots of the two trees of a transaction.
struct Meta: Equatable {
    /// The number of meta pages, which are the first pages of the file. A transaction writes the meta page whose index
    /// is the transaction number modulo 2.
    static let count: PageNumber = 2

    /// The number of bytes that a meta page uses.
    static let byteCount = treesOffset + 2 * TreeHead.byteCount + 2 * wordCount

    /// The index of the meta page, 0 or 1.
    let index: Int
    let version: UInt32
    let mapSize: UInt
    /// The free list, which is a tree of the numbers of free pages.
    let free: TreeHead
    /// The tree that contains the records.
    let records: TreeHead
    let lastPage: PageNumber
    /// The number of the transaction that wrote the meta page.
    let transaction: UInt
    private let storedNumber: PageNumber
    private let flags: UInt16

    /// The size of a page in bytes.
    var pageSize: Int { Int(free.pad) }

    private static let magic: UInt32 = 0xBEEF_C0DE
    static let knownVersion: UInt32 = 1
    private static let isMeta: UInt16 = 0x08
    /// The flag `MDB_INTEGERKEY`, which the free list must have, because its keys are integers.
    private static let hasIntegerKeys: UInt16 = 0x08
    /// The flag `MDB_NOSUBDIR`. liblmdb may have stored it with the flags of the free list, and a check ignores it.
    private static let isFile: UInt16 = 0x4000

    private static let wordCount = MemoryLayout<UInt>.size
    /// The offset of the trees in the meta page, in bytes. The trees follow the page header, the magic number, the
    /// version, and the address and size of the memory map.
    private static let treesOffset = Page.headCount + 8 + 2 * wordCount
    /// The offset of ``transaction`` in the meta page, in bytes. The transaction number follows the trees and the
    /// number of the last page.
    static let transactionOffset = treesOffset + 2 * TreeHead.byteCount + wordCount

    /// Decodes a meta page. Returns `nil` if the bytes end too early or lack the magic number.
    init?(_ bytes: [UInt8], index: Int) {
        let end = Meta.treesOffset + 2 * TreeHead.byteCount
        guard bytes.number(at: Page.headCount, as: UInt32.self) == Meta.magic,
            let version = bytes.number(at: Page.headCount + 4, as: UInt32.self),
            let storedNumber = bytes.number(at: 0, as: PageNumber.self),
            let flags = bytes.number(at: Page.flagsOffset, as: UInt16.self),
            let mapSize = bytes.number(at: Meta.treesOffset - Meta.wordCount, as: UInt.self),
            let free = TreeHead(bytes, at: Meta.treesOffset),
            let records = TreeHead(bytes, at: Meta.treesOffset + TreeHead.byteCount),
            let lastPage = bytes.number(at: end, as: PageNumber.self),
            let transaction = bytes.number(at: Meta.transactionOffset, as: UInt.self)
        else { return nil }
        self.index = index
        (self.version, self.storedNumber, self.flags, self.mapSize) = (version, storedNumber, flags, mapSize)
        (self.free, self.records, self.lastPage, self.transaction) = (free, records, lastPage, transaction)
    }

    /// Whether another version of LMDB wrote the page.
    var isOfOtherVersion: Bool { version != Meta.knownVersion }

    /// Returns a description of damage in the page header, the version, the page size or the transaction number, or
    /// `nil` if they are valid. With such damage, liblmdb could not open the file.
    func headDamage(pageSize: Int) -> String? {
        guard storedNumber == PageNumber(index), flags == Meta.isMeta else { return "not a meta page" }
        guard !isOfOtherVersion else { return "its version \(version) is not supported" }
        guard free.pad == UInt32(pageSize) else { return "its page size is \(free.pad), not \(pageSize)" }
        guard transaction & 1 == UInt(index) || transaction == 0 else {
            return "its transaction \(transaction) belongs on the other meta page"
        }
        return nil
    }

    /// Returns a description of damage that is visible without reading other pages, or `nil` if no damage is visible.
    func damage(pageSize: Int) -> String? {
        if let damage = headDamage(pageSize: pageSize) { return damage }
        guard isWalkable(pageSize: pageSize) else { return "its last page \(lastPage) is out of range" }
        guard free.flags & ~Meta.isFile == Meta.hasIntegerKeys, records.flags == 0, records.pad == 0 else {
            return "the flags of its trees are invalid"
        }
        guard mapSize / UInt(pageSize) > lastPage else {
            return "its last page is \(lastPage), which is beyond its size of \(mapSize) bytes"
        }
        return free.damage(lastPage: lastPage) ?? records.damage(lastPage: lastPage)
    }

    /// Returns whether the number of the last page is plausible. If not, the pages of the trees cannot be counted or
    /// addressed.
    func isWalkable(pageSize: Int) -> Bool {
        lastPage >= Meta.count - 1 && lastPage < PageNumber(Int.max / pageSize)
    }

    /// Returns whether a file with `pageCount` pages is certainly truncated.
    ///
    /// An intact file may lack free pages at its end. The free list, which is in the existing pages, contains the
    /// numbers of the missing ones. The file is therefore truncated if more pages are missing than the existing pages
    /// can list.
    func isTruncated(pageCount: PageNumber, pageSize: Int) -> Bool {
        let (bound, overflow) = pageCount.multipliedReportingOverflow(by: UInt(pageSize / Meta.wordCount) + 1)
        return !overflow && lastPage >= bound
    }
}
