import DataStoreCore
import DataStoreFiles
import DataStoreQueries
import UserProfileData
import UserProfileDomain

extension StorageLocation {
    /// Returns the size and the contents of the store.
    ///
    /// - Returns: the description of the store.
    /// - Throws: ``MaintenanceError`` if no store exists or its records do not outlive the process; `DataStoreError`.
    public func info() async throws -> StoreInfo {
        try await requireStore()
        return try await withStore { store in
            let collections = try await store.read { snapshot in
                try snapshot.collections().map { name in
                    var count = 0
                    try snapshot.forEachView(in: Scan(name)) { _, _ in
                        count += 1
                        return .next
                    }
                    return StoreInfo.Collection(name: name, recordCount: count)
                }
            }
            let file = kind.dataFile(at: address)
            let status = try file.flatMap { file throws(DataStoreError) in try FileStamp.ifExists(path: file)?.status }
            return StoreInfo(
                location: self, file: file, fileByteCount: status.map { Int($0.size) },
                format: try await kind.format(at: address), collections: collections,
                pages: try await kind.pages(at: address))
        }
    }

    /// Checks everything in the store: that the file is whole, that each record of a user, of the weather of a city and of an
    /// import is one, and that their indexes lead to them. Nothing is changed.
    ///
    /// An index that is not made yet, or that another program has outdated, is not wrong: no query uses it. One that is wrong is
    /// made again by ``UserProfileStorage/rebuildIndexes(progress:)``.
    ///
    /// - Returns: what is wrong, a sentence each; none where all is well.
    /// - Throws: ``MaintenanceError`` where there is no store, `DataStoreError` where it cannot be looked at.
    public func check() async throws -> [String] {
        try await requireStore()
        let damage = try await kind.check(address)
        guard damage.isEmpty else { return damage }
        do {
            return try await withStore { store in
                let unreadable = try await store.read { snapshot in
                    try snapshot.unreadable(UserMapping()) + snapshot.unreadable(WeatherMapping())
                        + snapshot.unreadable(ImportMarkMapping())
                }
                // What cannot be read has no entries to compare with.
                guard unreadable.isEmpty else { return unreadable }
                return try await store.wrongIndexes(of: UserMapping()) + store.wrongIndexes(of: WeatherMapping())
            }
        } catch let error as DataStoreError where error.code == .corrupted {
            return ["\(error)"]
        }
    }

    /// Copies the store to a new path while it is in use: an LMDB store to a directory, without free pages; a property list to a file,
    /// byte for byte. The copy is complete and durable when this returns.
    ///
    /// - Parameter path: the path of the copy, which must not exist.
    /// - Throws: ``MaintenanceError`` if no store exists, its records do not outlive the process, or its kind has no backup;
    ///   `DataStoreError`, also if the store is damaged; `CancellationError`.
    public func backUp(to path: String) async throws {
        try await requireStore()
        try await kind.backUp(address, to: path)
    }
}

extension DataStore {
    /// The indexes whose entries are not those of the records, a sentence each.
    fileprivate func wrongIndexes(of mapping: some RecordMapping) async throws -> [String] {
        try await checkIndexes(mapping.indexes, of: mapping.collection).filter { !$0.isRight }.map { report in
            "the index of \(mapping.collection) by \(report.name) is wrong: of its entries, \(report.missingCount) are missing "
                + "and \(report.surplusCount) lead nowhere; rebuild the indexes"
        }
    }
}

extension ReadTransaction {
    /// The records that are none of an entity, a sentence each.
    fileprivate func unreadable(_ mapping: some RecordMapping) throws -> [String] {
        var findings: [String] = []
        try forEachView(in: Scan(mapping.collection)) { key, record in
            do {
                _ = try mapping.entity(of: record, id: try mapping.id(of: key.id))
            } catch {
                findings.append("the record \(key): \(error)")
            }
            return .next
        }
        return findings
    }
}
