import DataStoreCore
import DataStoreFiles

/// Where in a damaged data file to look for records.
struct SalvagePlan: Sendable {
    let snapshot: Snapshot
    let metas: MetaPages
    private(set) var findings: [LMDBDataStore.CheckReport.Finding]

    /// The leaves that hold records.
    private(set) var leaves: PageSet

    /// Pages that hold nothing any more. What refers to them is damaged: what they held may still be readable, but it
    /// is not what was written last.
    let outdated: PageSet

    /// Whether what is found may be from before the last transaction.
    let mayBeOutdated: Bool

    /// Whether there was no later transaction, whose meta page is lost.
    let isOfLastTransaction: Bool

    /// Whether it leads to anything.
    var isUsable: Bool { leaves.count > 0 || snapshot.meta.records.root == nil }

    /// Whether the list of free pages is whole and as of this transaction: then it is known which pages are current.
    let knowsFreePages: Bool

    /// Makes a plan for the transaction of a meta page.
    init(_ snapshot: Snapshot, of metas: MetaPages, _ cancellation: Cancellation) throws(CancellationError) {
        self.snapshot = snapshot
        self.metas = metas
        var walk = SnapshotWalk(snapshot, verifiesRecords: false) { cancellation.isCancelled }
        walk.run()
        try cancellation.check()
        findings = metas.findings + walk.findings
        leaves = walk.leaves
        // Each transaction frees pages, if only the root of the one before.
        knowsFreePages = walk.isFreeListSound && walk.lastFreeingTransaction == snapshot.meta.transaction
        isOfLastTransaction = walk.followsOther
        let isSure =
            knowsFreePages || walk.areRecordsSound && snapshot.meta.damage(pageSize: snapshot.file.pageSize) == nil
        // A meta page that contradicts its trees is damaged, and its transaction number may be, too.
        let contradictsTrees = walk.findings.contains { finding in finding.page.map { $0 < UInt64(Meta.count) } ?? false
        }
        mayBeOutdated = walk.usesFreePages || !isSure || !isOfLastTransaction || contradictsTrees
        outdated = knowsFreePages && !walk.areRecordsSound ? walk.free : PageSet(below: 0)
        guard knowsFreePages, !walk.areRecordsSound else { return }
        leaves = PageSet(below: snapshot.meta.lastPage + 1)
        for page in walk.leaves where !outdated.contains(page) { leaves.insert(page) }
        addLostLeaves(walk, cancellation)
        try cancellation.check()
    }

    /// Adds the leaves that nothing refers to any more: they are those below damaged branches.
    private mutating func addLostLeaves(_ walk: SnapshotWalk, _ cancellation: Cancellation) {
        let end = min(snapshot.meta.lastPage + 1, snapshot.pageCount)
        var number = Meta.count
        while number < end, !cancellation.isCancelled {
            defer { number += 1 }
            guard !walk.used.contains(number), !walk.free.contains(number) else { continue }
            do throws(PageDamage) {
                let page = try snapshot.page(number)
                guard page.storedNumber == number, let kind = page.kind else {
                    throw PageDamage("nothing refers to it, and it has not the head of a page")
                }
                switch kind {
                case .branch: break
                case .leaf:
                    leaves.insert(number)
                    _ = try page.nodes(isBranch: false)
                case .largeValue:
                    // Its other pages have no heads; what they hold must not be taken for one.
                    let run = number..<(number + min(page.largeValuePageCount, end - number))
                    guard run.allSatisfy({ !walk.used.contains($0) && !walk.free.contains($0) }) else { continue }
                    number = max(number, run.upperBound - 1)
                }
            } catch {
                findings.append(LMDBDataStore.CheckReport.Finding(.damagedPage, page: number, error.reason))
            }
        }
    }
}
