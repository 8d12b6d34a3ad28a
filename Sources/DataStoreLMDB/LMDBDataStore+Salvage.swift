public import DataStoreCore
import DataStoreFiles

extension LMDBDataStore {
    /// Copies what can be read of a damaged store into another store: every record whose bytes are those that were written.
    ///
    /// The damaged store is not opened, only read: it stays byte for byte as it is, and nothing is made beside it. Nobody
    /// may write to it meanwhile. The other store gets the records in several transactions. It may have records already,
    /// none is replaced; so this may be done again after a failure.
    ///
    /// - Parameters:
    ///   - path: the directory of the damaged store, or its data file alone.
    ///   - store: where the records go.
    /// - Returns: what was saved and what was not.
    /// - Throws: `DataStoreError`: `notAStore` where there is no store, `corrupted` where nothing leads to records any more,
    ///   `busy` where others write to the damaged store, or what the other store throws; `CancellationError`.
    public static func salvage(_ path: String, into store: any DataStore) async throws -> SalvageReport {
        do {
            let files = try FoundFiles(at: Path.absolute(path))
            try checkTarget(store, isNot: files.data)
            let plan = try await Thread.run { cancellation in
                try SalvagePlan.best(for: PageFile(files.data), cancellation)
            }
            var report = SalvageReport(plan)
            var position: SalvageBatch.Position? = SalvageBatch.Position()
            while let start = position {
                let batch = try await Thread.run { cancellation in
                    let batch = try SalvageBatch(of: plan, from: start, cancellation)
                    guard try plan.snapshot.file.keeps(plan.metas) else {
                        throw DataStoreError(.busy, "others write to it; see to it that nobody does and try again")
                    }
                    return batch
                }
                let (savedCount, keptKeys) = try await put(batch.records, into: store)
                report.add(savedCount: savedCount, keptKeys: keptKeys, lostKeys: batch.lostKeys)
                position = batch.next
            }
            return report
        } catch let error as DataStoreError {
            throw error.adding(operation: "salvage the store", path: path)
        }
    }

    /// - Returns: how many were put, and the keys that have another record already.
    private static func put(
        _ records: [FoundRecord], into store: any DataStore
    ) async throws -> (savedCount: Int, keptKeys: [Key]) {
        guard !records.isEmpty else { return (0, []) }
        return try await store.write { transaction in
            var savedCount = 0
            var keptKeys: [Key] = []
            for stored in records {
                switch try transaction.record(for: stored.key) {
                case nil:
                    try transaction.put(stored.record, for: stored.key)
                    savedCount += 1
                case stored.record: break
                default: keptKeys.append(stored.key)
                }
            }
            return (savedCount, keptKeys)
        }
    }

    private static func checkTarget(_ store: any DataStore, isNot damaged: File) throws(DataStoreError) {
        guard let target = store as? LMDBDataStore,
            let file = try FileStatus.of(path: "\(target.path)/\(StoreFiles.dataName)"),
            file.id == (try damaged.status().id)
        else { return }
        throw DataStoreError(.readOnly, "it is the store to be salvaged, which stays unchanged; pass another one")
    }
}
