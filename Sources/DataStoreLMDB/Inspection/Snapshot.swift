import RecordFraming

/// The state of the data file after one transaction: the pages that can be reached from the meta page of the
/// transaction.
struct Snapshot: Sendable {
    let file: PageFile
    let meta: Meta

    /// Both meta pages, which were read at the same time.
    let metas: MetaPages

    /// The number of whole pages in the file. Free pages at its end may be missing, because LMDB does not write a page
    /// that the same transaction allocated and freed.
    let pageCount: PageNumber

    /// Whether each read verifies that the page was not reused before, because no read transaction keeps the pages
    /// unchanged.
    private let isUnprotected: Bool

    init(
        _ file: PageFile, meta: Meta, in metas: MetaPages, isUnprotected: Bool = false
    ) throws(DataStoreError) {
        (self.file, self.meta, self.metas, self.isUnprotected) = (file, meta, metas, isUnprotected)
        pageCount = try file.pageCount()
    }

    /// The other meta page, which belongs to the previous transaction. It is `nil` if that page is not a meta page.
    var other: Meta? { metas.pages[1 - meta.index] }

    /// Returns whether at most one transaction has been committed since the meta pages were read.
    ///
    /// If so, the pages of their newest transaction are unchanged, because the pages that a transaction frees are
    /// reused only after the next transaction has also been committed.
    func isUnchanged() throws(DataStoreError) -> Bool {
        let now = try file.metas()
        guard now != metas, let before = metas.newest, let after = now.newest else { return now == metas }
        return after.transaction &- before.transaction <= 1
    }

    /// Whether the file is certainly truncated.
    ///
    /// An intact file may lack free pages at its end. The free list, which is in the existing pages, contains the
    /// numbers of the missing ones. The file is therefore truncated if more pages are missing than the existing pages
    /// can list.
    var isTruncated: Bool {
        let listedCount = PageNumber(file.pageSize / MemoryLayout<PageNumber>.size)
        let (bound, overflow) = pageCount.multipliedReportingOverflow(by: listedCount + 1)
        return !overflow && meta.lastPage >= bound
    }

    /// Reads a page of a tree, without verifying its contents. Throws ``PageDamage`` if the page cannot be read.
    func page(_ number: PageNumber) throws(PageDamage) -> Page {
        guard number < pageCount else { throw .endOfFile }
        // The page is within the file, so the product is at most the size of the file.
        let page = Page(number: number, bytes: try bytes(at: Int(number) * file.pageSize, count: file.pageSize))
        guard page.bytes.count == file.pageSize else { throw .endOfFile }
        return page
    }

    /// Returns the number of overflow pages that a large value needs. The value begins after the header of the first
    /// page.
    func pageCount(ofLargeValue byteCount: UInt) -> PageNumber {
        // A value size has 32 bits, so the sum cannot overflow.
        let end = UInt64(byteCount) + UInt64(Page.headCount) - 1
        return PageNumber(end / UInt64(file.pageSize)) + 1
    }

    /// Returns the number of overflow pages of a large value, after verifying the header of the first page.
    ///
    /// The value may occupy more pages than its size requires. If a transaction stores a large value and then replaces
    /// it with a smaller one, liblmdb keeps all pages.
    func verifiedPageCount(ofLargeValueAt first: PageNumber, byteCount: UInt) throws(PageDamage) -> PageNumber {
        guard first >= Meta.count, first <= meta.lastPage else {
            throw PageDamage("it refers to page \(first), which does not exist")
        }
        let head = try page(first)
        let count = head.largeValuePageCount
        guard head.storedNumber == first, head.kind == .largeValue, count >= pageCount(ofLargeValue: byteCount),
            count <= meta.lastPage - first + 1
        else { throw PageDamage("page \(first) does not hold a value of \(byteCount) bytes") }
        guard count <= pageCount - first else { throw .endOfFile }
        return count
    }

    /// Returns the bytes of a value, from the page itself or from overflow pages.
    ///
    /// - Throws: ``PageDamage`` if the value extends beyond the end of the file or cannot be read.
    func value(of node: Node, in page: Page) throws(PageDamage) -> [UInt8] {
        switch node.content {
        case .value(let range): return Array(page.bytes[range])
        case .largeValue(let first, let byteCount):
            let count = pageCount(ofLargeValue: byteCount)
            guard first >= Meta.count, first < pageCount, count <= pageCount - first else { throw .endOfFile }
            let value = try bytes(at: Int(first) * file.pageSize + Page.headCount, count: Int(byteCount))
            guard value.count == Int(byteCount) else { throw .endOfFile }
            return value
        case .child: return []
        }
    }

    private func bytes(at offset: Int, count: Int) throws(PageDamage) -> [UInt8] {
        do throws(DataStoreError) {
            let bytes = try file.bytes(at: offset, count: count)
            if isUnprotected, try !isUnchanged() { throw DataStoreError(.busy, "another process has reused it") }
            return bytes
        } catch {
            throw PageDamage("it cannot be read: \(error.reason)")
        }
    }

    /// Returns the first key of the tree of records and its value, or `nil` if the tree is empty.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if a page on the path to the key is damaged.
    func first() throws(DataStoreError) -> (key: [UInt8], value: [UInt8])? {
        guard var number = meta.records.root else { return nil }
        do throws(PageDamage) {
            for _ in 0..<meta.records.counts.levels {
                let page = try page(number)
                guard page.storedNumber == number, page.isBranch || page.kind == .leaf else {
                    throw PageDamage("not the expected page of a tree")
                }
                let node = try page.nodes()[0]
                guard case .child(let child) = node.content else {
                    return (Array(page.bytes[node.key]), try value(of: node, in: page))
                }
                number = child
            }
            throw PageDamage("the tree is deeper than the meta page records")
        } catch {
            throw error.error(at: number)
        }
    }

    /// Returns a phrase that names the object under a key for a person, e.g. `the record users/me` or
    /// `an entry of the index mailAddress of users`.
    func object(of bytes: ArraySlice<UInt8>) -> String {
        if bytes == KeyBytes.format[...] { return "the format version" }
        guard bytes.first == 0, let separator = bytes.dropFirst().firstIndex(of: 0) else {
            return "the record \(KeyBytes.text(of: bytes))"
        }
        let collection = String(decoding: bytes[..<separator], as: UTF8.self)
        if collection.hasSameBytes(as: IndexState.catalogues) {
            return "the index definitions of \(KeyBytes.text(of: bytes[(separator + 1)...]))"
        }
        let number = collection.dropFirst(IndexState.entriesPrefix.count)
        return "an entry of the index \(indexName(of: collection) ?? "\(number)".escapingControlCharacters)"
    }

    /// Returns the name of the index whose entries are in a collection, and of the indexed collection. Returns `nil` if
    /// the definitions of the indexes are missing or damaged.
    private func indexName(of entries: String) -> String? {
        var name: String?
        do throws(DataStoreError) {
            var cursor = VerifyingCursor(self)
            let definitions = Scan(stored: IndexState.catalogues)
            try cursor.scanBytes(definitions, using: StoredRecord()) { id, view throws(DataStoreError) in
                let index = try view.record().first {
                    IndexState.entriesCollection(ofStored: $0.value)?.hasSameBytes(as: entries) == true
                }
                guard let index else { return .next }
                let collection = try KeyBytes.stored(id, in: IndexState.catalogues).id
                name = "\(index.name) of \(collection)".escapingControlCharacters
                return .stop
            }
        } catch {
            // The damaged page or definition is a finding of its own.
        }
        return name
    }

    /// Verifies that the file contains every page in use.
    ///
    /// Accessing a page of the memory map beyond the end of the file raises SIGBUS, so a truncated file must be
    /// detected first. An intact file may also be shorter than its meta page states, because free pages at its end may
    /// be missing. If the file is shorter, this function therefore visits every page of both trees.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if a page in use is missing, or if the visit finds other
    ///   damage.
    func checkIsWhole() throws(DataStoreError) {
        guard pageCount <= meta.lastPage else { return }
        var walk = SnapshotWalk(self, verifiesRecords: false)
        walk.run()
        let findings = walk.findings
        guard let finding = findings.first(where: { $0.kind == .truncated }) ?? findings.first else { return }
        throw DataStoreError.damaged("data.mdb is truncated: \(finding)")
    }
}
