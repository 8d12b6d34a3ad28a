import DataStoreCore
import RecordFraming

/// A walk of both trees of a transaction, which finds the damage at which liblmdb would fail.
///
/// liblmdb verifies hardly any of the properties that the walk checks. On a damaged page, liblmdb could crash, loop
/// forever, or reuse a page that is in use.
struct SnapshotWalk {
    typealias Finding = LMDBDataStore.CheckReport.Finding

    let snapshot: Snapshot

    /// Whether the walk verifies the bytes of each record, and not only the structure of the pages.
    let verifiesRecords: Bool

    /// A closure that returns whether the caller has cancelled the walk. A cancelled walk ends early with incomplete
    /// results.
    let isCancelled: () -> Bool

    /// The pages of both trees, including overflow pages.
    var used: PageSet
    /// The pages in the free list.
    var free: PageSet
    /// The leaf pages of the tree of records, including damaged ones.
    var leaves: PageSet
    var findings: [Finding] = []
    var recordCount = 0
    /// The highest transaction number in the free list.
    var lastFreeingTransaction: UInt = 0
    /// Whether the walked transaction has freed the page that was the root of the records in the previous transaction.
    /// Every transaction that changes a record frees this page.
    var hasFreedOtherRoot = false
    /// The error for a record that cannot be checked, because a newer program wrote it. It is `nil` if the walk has
    /// found no such record.
    var formatError: DataStoreError?
    /// The progress of the walk in the current tree.
    var tree = TreeProgress(.free)

    private var missing: (first: PageNumber, count: Int)?
    private(set) var isFreeListSound = true
    private(set) var areRecordsSound = true

    init(_ snapshot: Snapshot, verifiesRecords: Bool, isCancelled: @escaping () -> Bool = { false }) {
        self.snapshot = snapshot
        self.verifiesRecords = verifiesRecords
        self.isCancelled = isCancelled
        // The page count of a meta page is not trusted if more pages are missing than a free list could contain.
        let limit = snapshot.isTruncated ? 0 : snapshot.meta.lastPage + 1
        used = PageSet(below: limit)
        free = PageSet(below: limit)
        leaves = PageSet(below: limit)
    }

    /// Whether the free list contains pages that are in use.
    var usesFreePages: Bool { used.intersection(free).count > 0 }

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
            (isFreeListSound, areRecordsSound) = (false, false)
            findings.append(
                Finding(
                    .truncated,
                    "the file has \(snapshot.pageCount) pages, but its last page should be \(snapshot.meta.lastPage)"))
            return
        }
        walk(.free)
        isFreeListSound = tree.isSound
    }

    /// Walks both trees and compares their pages.
    mutating func run() {
        runFreeList()
        guard !snapshot.isTruncated else { return }
        walk(.records)
        areRecordsSound = tree.isSound
        if verifiesRecords, areRecordsSound, tree.entryCount > 0, !tree.hasFormat {
            findings.append(Finding(key: KeyBytes.format[...], in: snapshot, "it is missing"))
        }
        if let missing {
            findings.append(
                Finding(
                    .truncated,
                    "the file ends after \(snapshot.pageCount) pages; \(missing.count) pages in use are missing, "
                        + "the first is page \(missing.first)"))
        }
        compareLists()
    }

    private mutating func walk(_ kind: TreeProgress.Kind) {
        tree = TreeProgress(kind)
        let head = kind == .free ? snapshot.meta.free : snapshot.meta.records
        if let root = head.root {
            visit(root, from: PageNumber(snapshot.meta.index), level: 1, within: (nil, nil))
        }
        guard tree.isSound, let reason = tree.difference(from: head) else { return }
        tree.isSound = false
        findings.append(Finding(.wrongCount, page: PageNumber(snapshot.meta.index), reason))
    }

    /// Checks that every page is either in use or free, and no page is both.
    private mutating func compareLists() {
        let both = used.intersection(free)
        if let first = both.first(from: 0) {
            findings.append(
                Finding(
                    .damagedFreeList, page: first,
                    both.count == 1
                        ? "it is in use and also listed as free"
                        : "it is in use and also listed as free, like \(both.count - 1) other pages"))
        }
        guard isFreeListSound, areRecordsSound else { return }
        let lostCount = Int(snapshot.meta.lastPage - 1) - (used.count + free.count - both.count)
        if lostCount > 0 {
            findings.append(Finding(.lostPages, "\(lostCount) pages are neither in use nor listed as free"))
        }
    }

    /// Records the damage of a page of the current tree.
    mutating func note(_ damage: PageDamage, at page: PageNumber) {
        tree.isSound = false
        if damage.isTruncated {
            missing = (min(missing?.first ?? page, page), (missing?.count ?? 0) + 1)
        } else if page < Meta.count {
            findings.append(Finding(.damagedMeta, page: page, damage.reason))
        } else {
            findings.append(
                Finding(tree.kind == .free ? .damagedFreeList : .damagedPage, page: page, damage.reason))
        }
    }
}
