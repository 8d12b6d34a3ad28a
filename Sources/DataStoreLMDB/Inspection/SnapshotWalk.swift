import DataStoreCore
import RecordFraming

/// Walks both trees of a transaction and finds out what liblmdb would stumble over. It relies on all of this and checks
/// hardly any: it would crash, run in a circle, or give a page away that is in use.
struct SnapshotWalk {
    typealias Finding = LMDBDataStore.CheckReport.Finding

    let snapshot: Snapshot

    /// Whether the bytes of each record are checked, too, or only how the pages hang together.
    let verifiesRecords: Bool

    /// Whether nobody wants to know any more: then the walk ends early, and what it found is of no use.
    let isCancelled: () -> Bool

    /// The pages of the trees, and of large values.
    var used: PageSet
    /// The pages that are listed as free.
    var free: PageSet
    /// The leaves of the tree of records, damaged ones included.
    var leaves: PageSet
    var findings: [Finding] = []
    var recordCount = 0
    /// The highest transaction number in the list of free pages.
    var lastFreeingTransaction: UInt = 0
    /// Whether the last transaction has freed the root of the one before, as each does that changes anything.
    var hasFreedOtherRoot = false
    /// Why the records cannot be judged: a newer program wrote them.
    var refusal: DataStoreError?
    /// The tree that is being walked.
    var tree = TreeProgress(.free)

    private var missing: (first: PageNumber, count: Int)?
    private(set) var isFreeListSound = true
    private(set) var areRecordsSound = true

    init(_ snapshot: Snapshot, verifiesRecords: Bool, isCancelled: @escaping () -> Bool = { false }) {
        self.snapshot = snapshot
        self.verifiesRecords = verifiesRecords
        self.isCancelled = isCancelled
        // A meta page is not believed where there would be more pages than a cut-off file can tell of.
        let limit = snapshot.isCutOff ? 0 : snapshot.meta.lastPage + 1
        used = PageSet(below: limit)
        free = PageSet(below: limit)
        leaves = PageSet(below: limit)
    }

    /// Whether pages are listed as free that are in use.
    var usesFreePages: Bool { used.intersection(free).count > 0 }

    /// Whether the other meta page is that of the transaction before, as far as that can be told.
    var followsOther: Bool {
        guard let other = snapshot.other, other.transaction == snapshot.meta.transaction &- 1 else { return false }
        return other.records.root == nil || hasFreedOtherRoot || !isFreeListSound
    }

    /// Walks everything.
    mutating func run() {
        guard !snapshot.isCutOff else {
            (isFreeListSound, areRecordsSound) = (false, false)
            findings.append(
                Finding(
                    .cutOff,
                    "the file has \(snapshot.pageCount) pages, and the last one should be \(snapshot.meta.lastPage)"))
            return
        }
        walk(.free)
        isFreeListSound = tree.isSound
        walk(.records)
        areRecordsSound = tree.isSound
        if verifiesRecords, areRecordsSound, tree.entryCount > 0, !tree.hasFormat {
            findings.append(Finding(.badRecord, key: KeyBytes.shown(KeyBytes.format[...]), "it is missing"))
        }
        if let missing {
            findings.append(
                Finding(
                    .cutOff,
                    "the file ends after \(snapshot.pageCount) pages; of those that it refers to, \(missing.count) are "
                        + "missing, page \(missing.first) is the first"))
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

    /// Every page is used or free, and none is both.
    private mutating func compareLists() {
        let both = used.intersection(free)
        if let first = both.first(from: 0) {
            findings.append(
                Finding(
                    .damagedFreeList, page: first,
                    "it is in use and listed as free, as are \(both.count) pages in all"))
        }
        guard isFreeListSound, areRecordsSound else { return }
        let lostCount = Int(snapshot.meta.lastPage - 1) - (used.count + free.count - both.count)
        if lostCount > 0 {
            findings.append(Finding(.lostPages, "\(lostCount) pages are neither in use nor listed as free"))
        }
    }

    /// Records what is wrong with a page of the tree that is being walked.
    mutating func note(_ damage: PageDamage, at page: PageNumber) {
        tree.isSound = false
        if damage.isCutOff {
            missing = (min(missing?.first ?? page, page), (missing?.count ?? 0) + 1)
        } else if page < Meta.count {
            findings.append(Finding(.damagedMeta, page: page, damage.reason))
        } else {
            findings.append(
                Finding(tree.kind == .free ? .damagedFreeList : .damagedPage, page: page, damage.reason))
        }
    }
}
