import DataStoreSystem
import RecordFraming

/// A walk of both trees of a transaction, which finds the damage at which liblmdb would fail.
///
/// liblmdb verifies hardly any of the properties that the walk checks. On a damaged page, liblmdb could crash, loop
/// forever, or reuse a page that is in use.
struct SnapshotWalk: Sendable {
    typealias Finding = LMDBDataStore.CheckReport.Finding

    let snapshot: Snapshot

    /// Whether the walk verifies the bytes of each record, and not only the structure of the pages.
    let verifiesRecords: Bool

    /// The cancellation of the caller. A cancelled walk ends early with incomplete results.
    private let cancellation: Cancellation

    /// The pages of both trees, including overflow pages.
    private(set) var used: PageSet
    /// The pages in the free list.
    private(set) var free: PageSet
    /// The leaf pages of the tree of records, including damaged ones.
    private(set) var leaves: PageSet
    private(set) var findings: [Finding] = []
    private(set) var recordCount = 0
    /// The highest transaction number in the free list.
    private(set) var lastFreeingTransaction: UInt = 0
    /// Whether the walked transaction has freed the page that was the root of the records in the previous transaction.
    /// Every transaction that changes a record frees this page.
    private var hasFreedOtherRoot = false
    /// The error for a record that cannot be checked, because a newer program wrote it. It is `nil` if the walk has
    /// found no such record.
    private(set) var formatError: DataStoreError?
    /// Whether the walk has visited the record with the format version.
    private(set) var hasFormat = false

    /// The current tree.
    private var tree = Tree.free
    /// The numbers of pages and entries that the walk has visited in the current tree.
    private(set) var counts = TreeCounts()
    private var missing: (first: PageNumber, count: Int)?
    private var damagedTrees: Set<Tree> = []

    init(_ snapshot: Snapshot, verifiesRecords: Bool, _ cancellation: Cancellation = Cancellation()) {
        self.snapshot = snapshot
        self.verifiesRecords = verifiesRecords
        self.cancellation = cancellation
        // The page count of a meta page is not trusted if more pages are missing than a free list could contain.
        let limit = snapshot.isTruncated ? 0 : snapshot.meta.lastPage + 1
        let empty = PageSet(below: limit)
        (used, free, leaves) = (empty, empty, empty)
    }

    var isFreeListSound: Bool { !damagedTrees.contains(.free) }
    var areRecordsSound: Bool { !damagedTrees.contains(.records) }

    /// Whether the other meta page belongs to the transaction before the walked one.
    ///
    /// The transaction number of the other meta page must be one lower. The walked transaction must also have freed the
    /// root page of the other meta page's records. This second condition is not checked if the other meta page has no
    /// records or the free list is damaged.
    var followsOther: Bool {
        guard let other = snapshot.other, other.transaction == snapshot.meta.transaction &- 1 else { return false }
        return other.records.root == nil || hasFreedOtherRoot || !isFreeListSound
    }

    /// Walks the free list.
    mutating func runFreeList() {
        guard !snapshot.isTruncated else {
            damagedTrees = [.free, .records]
            let last = snapshot.meta.lastPage
            let reason = "the file has \(snapshot.pageCount) pages, but its last page should be \(last)"
            return findings.append(Finding(.truncated, reason))
        }
        walk(.free, snapshot.meta.free)
    }

    /// Walks both trees and compares their pages.
    mutating func run() {
        runFreeList()
        guard !snapshot.isTruncated else { return }
        walk(.records, snapshot.meta.records)
        if verifiesRecords, areRecordsSound, counts.entries > 0, !hasFormat {
            findings.append(Finding(.badRecord, object: snapshot.object(of: KeyBytes.format[...]), "it is missing"))
        }
        if let missing {
            let reason = "\(missing.count) pages in use are missing, the first is page \(missing.first)"
            findings.append(Finding(.truncated, "the file ends after \(snapshot.pageCount) pages; \(reason)"))
        }
        compareLists()
    }

    private mutating func walk(_ tree: Tree, _ head: TreeHead) {
        (self.tree, counts) = (tree, TreeCounts())
        let meta = PageNumber(snapshot.meta.index)
        if let root = head.root { visit(root, from: meta, level: 1, within: (nil, nil)) }
        guard !damagedTrees.contains(tree), let difference = counts.difference(from: head.counts) else { return }
        damagedTrees.insert(tree)
        let name = tree == .free ? "the tree of free pages" : "the tree of records"
        findings.append(Finding(.wrongCount, page: meta, "\(name) has \(difference)"))
    }

    /// Checks that every page is either in use or free, and no page is both.
    private mutating func compareLists() {
        let both = used.intersection(free)
        if let first = both.first(from: 0) {
            let others = both.count == 1 ? "" : ", like \(both.count - 1) other pages"
            findings.append(Finding(.damagedFreeList, page: first, "it is in use and also listed as free\(others)"))
        }
        guard isFreeListSound, areRecordsSound else { return }
        let lostCount = Int(snapshot.meta.lastPage - 1) - (used.count + free.count - both.count)
        guard lostCount > 0 else { return }
        findings.append(Finding(.lostPages, "\(lostCount) pages are neither in use nor listed as free"))
    }

    /// Records the damage of a page of the current tree.
    private mutating func note(_ damage: PageDamage, at page: PageNumber) {
        damagedTrees.insert(tree)
        if damage.isTruncated {
            missing = (min(missing?.first ?? page, page), (missing?.count ?? 0) + 1)
        } else {
            let kind: Finding.Kind = tree == .free ? .damagedFreeList : .damagedPage
            findings.append(Finding(page < Meta.count ? .damagedMeta : kind, page: page, damage.reason))
        }
    }

    // MARK: Entries of leaf pages

    /// Checks an entry of a leaf page, and records any damage.
    private mutating func addEntry(_ node: Node, of page: Page) {
        counts.entries += 1
        let key = page.bytes[node.key]
        do throws(PageDamage) {
            if case .largeValue(let first, let byteCount) = node.content {
                try takeLargeValue(at: first, byteCount: byteCount)
            }
            switch tree {
            case .free: try addFreePages(try snapshot.value(of: node, in: page), of: key)
            case .records: if verifiesRecords { addRecord(try snapshot.value(of: node, in: page), of: key, page) }
            }
        } catch {
            note(error, at: page.number)
            if tree == .records, verifiesRecords, !error.isTruncated {
                noteRecord(of: key, on: page, error.reason)
            }
        }
    }

    /// Records the damage of a record.
    private mutating func noteRecord(of key: ArraySlice<UInt8>, on page: Page, _ reason: String) {
        findings.append(Finding(.badRecord, page: page.number, object: snapshot.object(of: key), reason))
    }

    private mutating func addRecord(_ value: [UInt8], of key: ArraySlice<UInt8>, _ page: Page) {
        do throws(DataStoreError) {
            if let found = try Entry(key: key, frame: value) {
                if !found.key.isOfIndex { recordCount += 1 }
            } else {
                hasFormat = true
            }
        } catch  where error.code == .unsupportedFormat {
            formatError = error
        } catch {
            noteRecord(of: key, on: page, error.reason)
        }
    }

    /// Marks the overflow pages of a value as used. Throws ``PageDamage`` if the pages are damaged.
    private mutating func takeLargeValue(at first: PageNumber, byteCount: UInt) throws(PageDamage) {
        let count = try snapshot.verifiedPageCount(ofLargeValueAt: first, byteCount: byteCount)
        counts.largeValuePages += count
        for page in first..<(first + count) where !used.insert(page) {
            throw PageDamage("several entries refer to page \(page)")
        }
    }

    /// Adds the pages of an entry of the free list. The value of the entry consists of a count and of page numbers in
    /// descending order. Unused space may follow.
    private mutating func addFreePages(_ list: [UInt8], of key: ArraySlice<UInt8>) throws(PageDamage) {
        // The keys of the page are valid.
        let transaction = Tree.transaction(key)
        guard transaction > 0, transaction <= snapshot.meta.transaction else {
            throw PageDamage("a list of free pages on it has no transaction")
        }
        let wordCount = MemoryLayout<PageNumber>.size
        let count: UInt = list.number(at: 0)
        guard list.count.isMultiple(of: wordCount), count < list.count / wordCount else {
            throw PageDamage("a list of free pages on it has an invalid length")
        }
        lastFreeingTransaction = max(lastFreeingTransaction, transaction)
        var previous = snapshot.meta.lastPage + 1
        for index in 0..<Int(count) {
            let page: PageNumber = list.number(at: (index + 1) * wordCount)
            guard page >= Meta.count, page < previous else {
                throw PageDamage("a list of free pages on it is not in order")
            }
            guard free.insert(page) else { throw PageDamage("page \(page) is listed as free more than once") }
            previous = page
            if page == snapshot.other?.records.root, transaction == snapshot.meta.transaction {
                hasFreedOtherRoot = true
            }
        }
    }

    // MARK: Pages of a tree

    /// Walks a page and the pages below it.
    mutating func visit(_ number: PageNumber, from parent: PageNumber, level: UInt, within bounds: TreePage.Bounds) {
        guard !cancellation.isCancelled else { return }
        guard number >= Meta.count, number <= snapshot.meta.lastPage else {
            return note(PageDamage("it refers to page \(number), which does not exist"), at: parent)
        }
        do throws(PageDamage) {
            guard used.insert(number) else { throw PageDamage("several pages refer to it") }
            let read = try snapshot.page(number)
            let isLeaf = read.kind == .leaf || read.kind == nil && level == snapshot.meta.records.counts.levels
            if tree == .records, isLeaf { leaves.insert(number) }
            let page = try TreePage(read, in: tree, within: bounds)
            try count(isBranch: page.isBranch, level: level)
            for (index, node) in page.nodes.enumerated() {
                if let child = page.child(index) {
                    visit(child.number, from: number, level: level + 1, within: child.bounds)
                } else {
                    addEntry(node, of: read)
                }
            }
        } catch {
            note(error, at: number)
        }
    }

    private mutating func count(isBranch: Bool, level: UInt) throws(PageDamage) {
        guard !isBranch else {
            guard level < TreeHead.maximumDepth else { throw PageDamage("the tree is too deep") }
            return counts.branches += 1
        }
        // The first leaf page determines the number of levels.
        if counts.leaves == 0 { counts.levels = level }
        guard level == counts.levels else {
            throw PageDamage(
                "it is a leaf at level \(level) of the tree, and the other leaves are at level \(counts.levels)")
        }
        counts.leaves += 1
    }
}
