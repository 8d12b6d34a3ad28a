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
        guard bytes.count >= Meta.byteCount, bytes.number(at: Page.headCount) == Meta.magic else { return nil }
        self.index = index
        storedNumber = bytes.number(at: 0)
        flags = bytes.number(at: Page.flagsOffset)
        version = bytes.number(at: Page.headCount + 4)
        mapSize = bytes.number(at: Meta.treesOffset - Meta.wordCount)
        free = TreeHead(bytes, at: Meta.treesOffset)
        records = TreeHead(bytes, at: Meta.treesOffset + TreeHead.byteCount)
        lastPage = bytes.number(at: Meta.transactionOffset - Meta.wordCount)
        transaction = bytes.number(at: Meta.transactionOffset)
    }

    /// Returns a description of damage in the page header, the version, the page size or the transaction number, or
    /// `nil` if they are valid. With such damage, liblmdb could not open the file.
    func headDamage(pageSize: Int) -> String? {
        guard storedNumber == PageNumber(index), flags == Meta.isMeta else { return "not a meta page" }
        guard version == Meta.knownVersion else { return "its version \(version) is not supported" }
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
        guard mapSize <= UInt(Int.max), mapSize / UInt(pageSize) > lastPage else {
            return "its last page is \(lastPage), which is beyond its size of \(mapSize) bytes"
        }
        return free.damage(lastPage: lastPage) ?? records.damage(lastPage: lastPage)
    }

    /// Returns whether the number of the last page is plausible. If not, the pages of the trees cannot be counted or
    /// addressed.
    func isWalkable(pageSize: Int) -> Bool {
        lastPage >= Meta.count - 1 && lastPage < PageNumber(Int.max / pageSize)
    }
}

/// The two meta pages of a data file. In an intact file, one belongs to the last transaction and the other to the
/// transaction before it.
struct MetaPages: Equatable {
    typealias Finding = LMDBDataStore.CheckReport.Finding

    /// The first two pages of the file, each `nil` if it is not a meta page.
    let pages: [Meta?]
    let pageSize: Int

    /// Returns the meta page that a transaction writes. A later transaction may have overwritten it.
    func page(of transaction: UInt) -> Meta? { pages[Int(transaction & 1)] }

    /// The pages with the magic number of a meta page, in descending order of their transaction numbers. They may be
    /// damaged.
    var candidates: [Meta] { pages.compactMap(\.self).sorted { $0.transaction > $1.transaction } }

    /// The intact meta page with the higher transaction number, or `nil` if both are damaged.
    var newest: Meta? { candidates.first { $0.damage(pageSize: pageSize) == nil } }

    /// The problems with the meta pages.
    var findings: [Finding] {
        let findings = damages { $0.damage(pageSize: pageSize) }
        return findings.isEmpty ? orderFindings : findings
    }

    /// Returns the meta page of the last transaction, or throws an error if liblmdb would fail on the meta pages when
    /// it opens the file.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted`, or `unsupportedFormat` if another version of LMDB wrote
    ///   both pages.
    func checkedLatest() throws(DataStoreError) -> Meta {
        try checkVersion()
        // The next commit replaces the older page, and liblmdb uses only the head of that page.
        let latest = candidates.first
        let findings =
            damages { $0.headDamage(pageSize: pageSize) }
            + damages { $0.index == latest?.index ? $0.damage(pageSize: pageSize) : nil } + orderFindings
        guard let latest, findings.isEmpty else { throw DataStoreError.damaged("data.mdb: meta \(findings[0])") }
        return latest
    }

    /// Throws an error if another version of LMDB wrote the file.
    ///
    /// - Throws: `DataStoreError` with the code `unsupportedFormat` if both pages contain the same version number, and
    ///   this program does not support that version.
    func checkVersion() throws(DataStoreError) {
        let versions = pages.map { $0?.version ?? Meta.knownVersion }
        guard versions[0] != Meta.knownVersion, versions[0] == versions[1] else { return }
        throw DataStoreError.otherFormat(Int64(versions[0]), than: Int64(Meta.knownVersion))
    }

    /// Returns a finding for each page that is not a meta page or has the damage that a closure describes.
    private func damages(_ damage: (Meta) -> String?) -> [Finding] {
        pages.enumerated().compactMap { number, meta in
            (meta.map(damage) ?? "not a meta page").map { Finding(.damagedMeta, page: PageNumber(number), $0) }
        }
    }

    /// A finding for the later page if the two transaction numbers are not consecutive. In a new environment, both
    /// numbers are 0, which is valid.
    private var orderFindings: [Finding] {
        guard candidates.count == 2, candidates[0].transaction > 0 else { return [] }
        let (high, low) = (candidates[0].transaction, candidates[1].transaction)
        guard high - low != 1 else { return [] }
        return [
            Finding(
                .damagedMeta, page: PageNumber(candidates[0].index),
                "it has transaction \(high), and the other meta page has \(low)")
        ]
    }
}
