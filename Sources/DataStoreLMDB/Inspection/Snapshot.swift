import DataStoreCore

/// The pages of one transaction.
struct Snapshot: Sendable {
    let file: PageFile
    let meta: Meta

    /// The other meta page, of the transaction before; nil where it is none.
    let other: Meta?

    /// How many whole pages the file has. It may lack pages at its end that are free: LMDB does not write those that
    /// were used and freed within one transaction.
    let pageCount: PageNumber

    init(_ file: PageFile, meta: Meta, in metas: MetaPages) throws(DataStoreError) {
        self.file = file
        self.meta = meta
        other = metas.candidates.first { $0.index != meta.index }
        pageCount = try file.pageCount()
    }

    /// Whether the file is shorter than the meta page says, be it that it was cut off or not.
    var isShort: Bool { pageCount <= meta.lastPage }

    /// Whether so much is missing that not even the list of the free pages can have room for it.
    var isCutOff: Bool { meta.isCutOff(pageCount: pageCount, pageSize: file.pageSize) }

    /// Reads a page of a tree.
    func page(_ number: PageNumber) throws(PageDamage) -> Page {
        guard number < pageCount else { throw PageDamage("the file ends before it", isCutOff: true) }
        // Within the file, so the product is no larger than its size.
        let page = Page(number: number, bytes: try bytes(at: Int(number) * file.pageSize, count: file.pageSize))
        guard page.bytes.count == file.pageSize else { throw PageDamage("the file ends before it", isCutOff: true) }
        return page
    }

    /// How many pages a value needs that is not in the page of its key; behind the head of the first page.
    func pageCount(ofLargeValue byteCount: UInt) -> PageNumber {
        // A size is of 32 bits, and so is a count of pages.
        let end = UInt64(byteCount) + UInt64(Page.headCount) - 1
        return PageNumber(end / UInt64(file.pageSize)) + 1
    }

    /// Reads a value that is on pages of its own.
    ///
    /// - Throws: ``PageDamage`` where it cannot be in the file, before anything is read.
    func largeValue(at first: PageNumber, byteCount: UInt) throws(PageDamage) -> [UInt8] {
        let count = pageCount(ofLargeValue: byteCount)
        guard first >= Meta.count, first < pageCount, count <= pageCount - first else {
            throw PageDamage("the file ends before it", isCutOff: true)
        }
        let value = try bytes(at: Int(first) * file.pageSize + Page.headCount, count: Int(byteCount))
        guard value.count == Int(byteCount) else { throw PageDamage("the file ends before it", isCutOff: true) }
        return value
    }

    /// The bytes of a value, wherever it is.
    func value(of node: Node, in page: Page) throws(PageDamage) -> [UInt8] {
        switch node.content {
        case .value(let range): Array(page.bytes[range])
        case .largeValue(let first, let byteCount): try largeValue(at: first, byteCount: byteCount)
        case .child: []
        }
    }

    private func bytes(at offset: Int, count: Int) throws(PageDamage) -> [UInt8] {
        do {
            return try file.bytes(at: offset, count: count)
        } catch {
            throw PageDamage("it cannot be read: \(error.reason)")
        }
    }
}
