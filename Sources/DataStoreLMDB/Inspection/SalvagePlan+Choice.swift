import DataStoreCore
import DataStoreSystem

extension SalvagePlan {
    /// Returns the plan for the transaction of one of the two meta pages. Prefers a plan whose records cannot be
    /// outdated, then the plan for the last transaction.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if no plan is usable (``isUsable``), or `formatTooNew` if
    ///   another version of LMDB wrote the file. `CancellationError` if the search is cancelled.
    static func best(for file: PageFile, _ cancellation: Cancellation) throws -> SalvagePlan {
        let metas = try file.settledMetas()
        try metas.checkVersion()
        var plans: [SalvagePlan] = []
        for meta in metas.candidates where meta.isWalkable(pageSize: file.pageSize) {
            let plan = try SalvagePlan(Snapshot(file, meta: meta, in: metas), of: metas, cancellation)
            if plan.isUsable { plans.append(plan) }
        }
        let best =
            plans.first { !$0.mayBeOutdated } ?? plans.first(where: \.isOfLastTransaction)
            ?? plans.first(where: \.knowsFreePages) ?? plans.first
        guard let best else {
            throw DataStoreError(.corrupted, "data.mdb has no readable records; restore a backup")
        }
        return best
    }
}
