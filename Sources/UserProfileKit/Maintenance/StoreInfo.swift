/// A description of a store: its file, its format, its record counts and its indexes.
///
/// ```swift
/// let info = try await StorageLocation.lmdb("profiles").info()
/// print(info.format, info.recordCounts["users"] ?? 0)
/// ```
public struct StoreInfo: Sendable, Hashable {
    /// The location of the store.
    package let location: StorageLocation
    /// The path of the file that contains the records, or `nil` if the kind of store has no such file.
    public let file: String?
    /// The size in bytes of the file that contains the records, or `nil` if the kind of store has no such file.
    public let fileByteCount: Int?
    /// A short description of the store's file format.
    public let format: String
    /// The number of records in each collection, by the name of the collection. Empty collections are absent.
    public let recordCounts: [String: Int]
    /// The number of records in all collections.
    package var recordCount: Int { recordCounts.values.reduce(0, +) }
    /// The indexes of the store, including indexes that other programs declared. Their entries are not counted.
    public let indexes: [IndexReport]
    /// The page statistics, or `nil` if the kind of store has no pages.
    package let pages: PageStatistics?
}

extension StorageLocation {
    /// Returns a description of the store: its file, its format, its record counts and its indexes.
    ///
    /// - Returns: The description of the store.
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or if the
    ///   store cannot be read.
    public func info() async throws -> StoreInfo {
        try await withExistingStore { store in
            let recordCounts = try await store.read { snapshot in
                var counts: [String: Int] = [:]
                for name in try snapshot.collections() {
                    counts[name] = try snapshot.count(matching: RecordQuery(name))
                }
                return counts
            }
            return StoreInfo(
                location: self, file: kind.dataFile(at: address), fileByteCount: try fileByteCount(),
                format: try await kind.format(at: address), recordCounts: recordCounts,
                indexes: try await SchemaStore(store, schema: Schema([UserMapping().schemaCollection])).indexes(),
                pages: try await kind.pageStatistics(at: address))
        }
    }

    /// Checks the whole store: the file, every record, the fields of users, weather and import checkpoints, and every
    /// index entry. It changes nothing.
    ///
    /// An incomplete or invalid index is not a finding, because no query uses it. To repair a damaged index, open a
    /// ``UserProfileStorage`` and call `records.rebuildIndexes(progress:)`.
    ///
    /// - Parameter progress: A closure that receives the name of the checked index, e.g. `users by birthday`, and the
    ///   number of records that have been compared with the index. If the name is `nil`, the closure receives the
    ///   number of records checked so far. It is called on any thread. The first call follows the check of the file,
    ///   which may take long.
    /// - Returns: One sentence for each problem that the check found.
    /// - Throws: `DataStoreError` if no store exists or its records do not outlive the process, or if the
    ///   store cannot be read.
    public func check(
        progress: @escaping @Sendable (_ index: String?, _ count: Int) -> Void = { _, _ in }
    ) async throws -> [String] {
        try await requireStore()
        let damage = try await kind.check(at: address)
        guard damage.isEmpty else { return damage }
        do {
            return try await withStore { store in
                let unreadable = try await store.read { snapshot in
                    var (findings, count): ([String], Int) = ([], 0)
                    for name in try snapshot.collections() {
                        findings += try snapshot.unreadableRecords(in: name) {
                            count += 1
                            if count.isMultiple(of: 1000) { progress(nil, count) }
                        }
                    }
                    progress(nil, count)
                    return findings
                }
                // The index entries of an unreadable record are unknown, so the indexes cannot be checked.
                guard unreadable.isEmpty else { return unreadable }
                let indexes = try await SchemaStore(store).checkIndexes { progress($0, $1) }
                let broken = try await SchemaStore(store).brokenReferences().flatMap(\.findings)
                return broken
                    + indexes.filter { !$0.matchesRecords }.map { index in
                        "the index \(index.name) of \(index.collection) does not match its records: "
                            + "\(index.missingCount) entries are missing, \(index.surplusCount) are surplus; rebuild it"
                    }
            }
        } catch let error as DataStoreError where error.code == .corrupted {
            return ["\(error)"]
        }
    }
}

extension ReadTransaction {
    /// Returns one sentence for each record of a collection that cannot be decoded, and calls `visited` after each
    /// record.
    fileprivate func unreadableRecords(in collection: String, _ visited: () -> Void) throws -> [String] {
        let mappings: [any RecordMapping] = [UserMapping(), WeatherMapping(), ImportCheckpoint.mapping]
        let mapping = mappings.first { $0.collection == collection }
        var findings: [String] = []
        try forEachView(in: Scan(collection)) { key, record in
            do {
                if let mapping { _ = try mapping.decoded(record, key) } else { _ = try record.record() }
            } catch let error as DataStoreError where error.code == .missingSealingKey {
                // A sealed record is intact if its bytes are a record.
            } catch {
                findings.append("the record \(key): \(error)")
            }
            visited()
            return .next
        }
        return findings
    }
}
