import DataStoreCore
import DataStoreQueries
import DataStoreLMDB
import DataStorePlist
import Foundation
import UserProfileData
import UserProfileDomain

extension StorageLocation {
    /// Looks at the store: how large it is, and what is in it.
    ///
    /// - Returns: what it found.
    /// - Throws: ``MaintenanceError`` where there is none, `DataStoreError`.
    public func info() async throws -> StoreInfo {
        guard let file = dataFile else { throw MaintenanceError.inMemory(self) }
        guard isThere else { throw MaintenanceError.noStore(self) }
        return try await withStore { store in
            let collections = try store.snapshot { snapshot in
                try snapshot.collections().map { name in
                    var count = 0
                    try snapshot.forEachView(in: Scan(name)) { _, _ in
                        count += 1
                        return .next
                    }
                    return StoreInfo.Collection(name: name, recordCount: count)
                }
            }
            let byteCount =
                try FileManager.default.attributesOfItem(
                    atPath: URL(filePath: file).resolvingSymlinksInPath().path)[.size] as? Int
            return StoreInfo(
                location: self, file: file, fileByteCount: byteCount ?? 0, format: try format(file),
                collections: collections, pages: try (store as? LMDBDataStore)?.pages())
        }
    }

    private func format(_ file: String) throws -> String {
        if case .lmdb = self { return "LMDB environment, checksummed CBOR" }
        let handle = try FileHandle(forReadingFrom: URL(filePath: file))
        defer { try? handle.close() }
        return try handle.read(upToCount: 6) == Data("bplist".utf8) ? "binary property list" : "XML property list"
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
        guard self != .memory else { throw MaintenanceError.inMemory(self) }
        guard isThere else { throw MaintenanceError.noStore(self) }
        if case .lmdb(let path) = self {
            let findings = try await LMDBDataStore.check(path).findings
            guard findings.isEmpty else { return findings.map { "\($0)" } }
        }
        do {
            return try await withStore { store in
                let unreadable = try store.snapshot { snapshot in
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

    /// Makes a copy of the store that is whole and durable when this returns, while it is in use: of an LMDB store a new
    /// directory, without free pages; of a property list the file, byte for byte.
    ///
    /// - Parameter path: where, at which there is nothing yet.
    /// - Throws: ``MaintenanceError``, `DataStoreError`, also where the store is damaged; `CancellationError`.
    public func backUp(to path: String) async throws {
        guard self != .memory else { throw MaintenanceError.inMemory(self) }
        guard isThere else { throw MaintenanceError.noStore(self) }
        try await withStore { store in
            try await (store as? LMDBDataStore)?.backup(to: path)
            try await (store as? PlistDataStore)?.backup(to: path)
        }
    }
}

extension LMDBDataStore {
    fileprivate func pages() throws -> StoreInfo.Pages? {
        try statistics().map { statistics in
            StoreInfo.Pages(
                byteCount: statistics.pageByteCount, count: statistics.pageCount,
                freeCount: statistics.freePageCount, mapByteCount: statistics.mapByteCount,
                lastTransaction: statistics.lastTransaction, readCount: statistics.readCount,
                oldestReadTransaction: statistics.oldestReadTransaction)
        }
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
