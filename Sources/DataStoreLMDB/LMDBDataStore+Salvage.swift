public import DataStoreCore
import DataStoreSystem

extension LMDBDataStore {
    /// Copies the intact records of a damaged store, and its index definitions, to another store.
    ///
    /// The damaged store is only read, so it and its directory stay unchanged. No process may write to it during the
    /// call. The other store receives the records in several transactions. Existing records are never replaced, so the
    /// call can be repeated after a failure.
    ///
    /// The index definitions are copied only if the other store has none. The indexes are rebuilt when a program next
    /// opens the other store with a schema.
    ///
    /// - Parameters:
    ///   - path: The directory of the damaged store, or its data file alone.
    ///   - store: The store that receives the records.
    /// - Returns: A report on the copied and the lost records.
    /// - Throws: Any error of the other store, `CancellationError` if the task is cancelled, or `DataStoreError` with
    ///   one of these codes:
    ///   - `notAStore` if no store exists at the path.
    ///   - `corrupted` if no records can be found.
    ///   - `formatTooNew` if a newer program wrote the damaged store.
    ///   - `busy` if a process writes to the damaged store.
    ///   - `readOnly` if both stores are the same.
    public static func salvage(_ path: String, into store: any DataStore) async throws -> SalvageReport {
        do {
            let files = try InspectedFiles(at: Path.absolute(path))
            try checkTarget(store, isNot: files.data)
            let plan = try await Thread.run { cancellation in
                try SalvagePlan.best(for: PageFile(files.data), cancellation)
            }
            var report = SalvageReport(plan)
            var definitions: [SalvagedRecord] = []
            var position: SalvageBatch.Position? = SalvageBatch.Position()
            while let start = position {
                let batch = try await Thread.run { cancellation in
                    let batch = try SalvageBatch(of: plan, from: start, cancellation)
                    guard try plan.snapshot.file.keeps(plan.metas) else {
                        throw DataStoreError(.busy, "other processes are writing to the store; stop them and retry")
                    }
                    return batch
                }
                let (savedCount, keptKeys) = try await put(batch.records, into: store)
                report.add(savedCount: savedCount, keptKeys: keptKeys, lostKeys: batch.lostKeys)
                definitions += batch.definitions
                position = batch.next
            }
            try await put(definitions: definitions, into: store)
            return report
        } catch let error as DataStoreError {
            throw error.adding(operation: "salvage the store", path: path)
        }
    }

    /// Stores the records whose keys do not exist yet.
    ///
    /// - Returns: The number of stored records, and the keys that already have a different record.
    private static func put(
        _ records: [SalvagedRecord], into store: any DataStore
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

    /// Stores index definitions, with every index marked as invalid, unless the store already has definitions.
    /// Definitions from two stores are not mixed, because they could use the same collection for the entries of
    /// different indexes.
    private static func put(definitions: [SalvagedRecord], into store: any DataStore) async throws {
        guard !definitions.isEmpty else { return }
        try await store.write { transaction in
            let others = try transaction.records(in: Scan(stored: IndexCatalogueRecord.collection, limit: 1))
            guard others.isEmpty else { return }
            if definitions.contains(where: { $0.record[IndexCatalogueRecord.migrationsField] != nil }) {
                try transaction.backend.raiseFormatVersion()
            }
            for definition in definitions {
                // The record with an empty id contains the number of the last collection of index entries instead.
                let hasIndexStates = !definition.key.id.isEmpty
                try transaction.put(
                    hasIndexStates
                        ? IndexCatalogueRecord.invalidating(definition.record, of: definition.key.id)
                        : definition.record,
                    for: definition.key)
            }
        }
    }

    private static func checkTarget(_ store: any DataStore, isNot damaged: File) throws(DataStoreError) {
        guard let target = store as? LMDBDataStore,
            let file = try FileStatus.of(path: "\(target.path)/\(StoreFiles.dataName)"),
            file.id == (try damaged.status().id)
        else { return }
        throw DataStoreError(.readOnly, "the target is the damaged store itself; choose another target")
    }
}
