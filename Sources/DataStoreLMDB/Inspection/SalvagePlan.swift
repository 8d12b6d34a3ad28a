import DataStoreSystem
import RecordFraming

/// A plan for salvaging the records of one transaction from a damaged data file.
struct SalvagePlan: Sendable {
    private let walk: SnapshotWalk
    private(set) var findings: [LMDBDataStore.CheckReport.Finding]

    /// The leaf pages whose records are salvaged.
    private(set) var leaves: PageSet

    var snapshot: Snapshot { walk.snapshot }

    /// Whether the free list is intact and belongs to this transaction. If so, each page that is not in the list
    /// contains current data.
    var knowsFreePages: Bool {
        // Each transaction frees pages, at least the root of the previous transaction.
        walk.isFreeListSound && walk.lastFreeingTransaction == snapshot.meta.transaction
    }

    /// Whether free pages can be distinguished from unreachable pages with current data. Free pages are then not
    /// salvaged, because their contents are outdated.
    private var skipsFreePages: Bool { knowsFreePages && !walk.areRecordsSound }

    /// Whether the plan is certainly for the last transaction of the file. It is `false` if the file's other meta page
    /// is damaged or belongs to a later transaction.
    var isOfLastTransaction: Bool { walk.followsOther }

    /// Whether the salvaged records may lack the changes of the last committed transaction.
    var mayBeOutdated: Bool {
        let isCertain =
            knowsFreePages || walk.areRecordsSound && snapshot.meta.damage(pageSize: snapshot.file.pageSize) == nil
        // A meta page that contradicts its trees is damaged, and its transaction number may be damaged, too.
        let contradictsTrees = walk.findings.contains { $0.page ?? .max < UInt64(Meta.count) }
        let usesFreePages = walk.used.intersection(walk.free).count > 0
        return usesFreePages || !isCertain || !isOfLastTransaction || contradictsTrees
    }

    /// Creates a plan for the transaction of a meta page.
    init(_ snapshot: Snapshot, _ cancellation: Cancellation) throws(CancellationError) {
        var walk = SnapshotWalk(snapshot, verifiesRecords: false, cancellation)
        walk.run()
        try cancellation.check()
        self.walk = walk
        findings = snapshot.metas.findings + walk.findings
        leaves = walk.leaves
        guard skipsFreePages else { return }
        leaves = leaves.subtracting(walk.free)
        addLostLeaves(cancellation)
        try cancellation.check()
    }

    /// Returns whether a page is skipped because its contents are outdated.
    func isOutdated(_ page: PageNumber) -> Bool { skipsFreePages && walk.free.contains(page) }

    /// Adds the leaf pages that are neither free nor reachable from the root. They are unreachable because a branch
    /// page above them is damaged.
    private mutating func addLostLeaves(_ cancellation: Cancellation) {
        let end = min(snapshot.meta.lastPage + 1, snapshot.pageCount)
        var number = Meta.count
        while number < end, !cancellation.isCancelled {
            defer { number += 1 }
            guard !walk.used.contains(number), !walk.free.contains(number) else { continue }
            do throws(PageDamage) {
                let page = try snapshot.page(number)
                guard page.storedNumber == number, let kind = page.kind else {
                    throw PageDamage("no page refers to it, and its header is invalid")
                }
                switch kind {
                case .branch: break
                case .leaf:
                    leaves.insert(number)
                    _ = try page.nodes()
                case .largeValue:
                    // The following overflow pages have no headers, so their contents must not be mistaken for a
                    // header.
                    let run = number..<(number + min(page.largeValuePageCount, end - number))
                    guard run.allSatisfy({ !walk.used.contains($0) && !walk.free.contains($0) }) else { continue }
                    number = max(number, run.upperBound - 1)
                }
            } catch {
                findings.append(LMDBDataStore.CheckReport.Finding(.damagedPage, page: number, error.reason))
            }
        }
    }

    /// Returns the plan for the transaction of one of the two meta pages. Prefers a plan whose records cannot be
    /// outdated, then the plan for the last transaction.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if no plan has leaf pages and the store is not empty, or
    ///   `unsupportedFormat` if another version of LMDB wrote the file. `CancellationError` if the search is cancelled.
    static func best(for file: PageFile, _ cancellation: Cancellation) throws -> SalvagePlan {
        let metas = try file.settledMetas()
        try metas.checkVersion()
        var plans: [SalvagePlan] = []
        for meta in metas.candidates where meta.isWalkable(pageSize: file.pageSize) {
            let plan = try SalvagePlan(Snapshot(file, meta: meta, in: metas), cancellation)
            if plan.leaves.count > 0 || meta.records.root == nil { plans.append(plan) }
        }
        let best =
            plans.first { !$0.mayBeOutdated } ?? plans.first(where: \.isOfLastTransaction)
            ?? plans.first(where: \.knowsFreePages) ?? plans.first
        guard let best else { throw DataStoreError(.corrupted, "data.mdb has no readable records; restore a backup") }
        return best
    }

    /// Returns a leaf page and its readable nodes. Returns `nil` if the page cannot be read, or if the number in its
    /// header shows that it is a copy of another page.
    func leaf(_ number: PageNumber) -> (page: Page, nodes: [Node])? {
        do throws(PageDamage) {
            let page = try snapshot.page(number)
            // If the page contains the number of another page, it was copied to this position. A number beyond the last
            // page is itself damaged.
            guard page.storedNumber == number || page.storedNumber > snapshot.meta.lastPage else { return nil }
            return (page, page.remainingNodes())
        } catch {
            // The page was readable during the walk and is no longer readable, so its records are lost.
            return nil
        }
    }
}

extension Entry {
    /// Decodes a stored record. Returns `nil` for the record with the format version.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the bytes are damaged, or `unsupportedFormat` if a newer
    ///   program wrote them.
    init?(key bytes: ArraySlice<UInt8>, frame: [UInt8]) throws(DataStoreError) {
        let bytes = Array(bytes)
        let record = try RecordFrame.record(in: frame.span, key: bytes.span)
        if bytes == KeyBytes.format {
            try Snapshot.checkFormat(record)
            return nil
        }
        self.init(key: try KeyBytes.key(of: bytes.span), record: record)
    }
}
