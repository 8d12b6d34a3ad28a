import DataStoreCore
import DataStoreLMDB
import DataStoreMemory
import DataStorePlist
import Foundation

/// A store whose snapshots can be had without waiting, also while another store is written to.
protocol SnapshotStore: DataStore {
    /// Runs a closure on one snapshot of the store.
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result
}

extension LMDBDataStore: SnapshotStore {
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try read(body)
    }
}

extension PlistDataStore: SnapshotStore {
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try read(body)
    }
}

extension MemoryDataStore: SnapshotStore {
    func snapshot<Result: Sendable>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try read(body)
    }
}

extension StorageLocation {
    /// Opens the store at the location for a while.
    func withStore<Result>(_ body: (any SnapshotStore) async throws -> Result) async throws -> Result {
        let store: any SnapshotStore =
            switch self {
            case .lmdb(let path): try LMDBDataStore(path: path)
            case .plist(let path): try PlistDataStore(path: path)
            case .memory: MemoryDataStore()
            }
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }

    /// The file that the records are in; nil in memory.
    var dataFile: String? {
        switch self {
        case .lmdb(let path): "\(path)/data.mdb"
        case .plist(let path): path
        case .memory: nil
        }
    }

    /// Whether there is such a file, be it a store or not.
    var isThere: Bool { dataFile.map { FileManager.default.fileExists(atPath: $0) } ?? false }

    /// Whether the records of both are in one file, whatever it is called.
    func isSame(as other: StorageLocation) -> Bool {
        guard let file = dataFile, let otherFile = other.dataFile else { return self == other }
        func identity(_ path: String) -> [Int?]? {
            // Where it cannot be looked at, opening it says why.
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: URL(filePath: path).resolvingSymlinksInPath().path)
            return attributes.map { [$0[.systemNumber] as? Int, $0[.systemFileNumber] as? Int] }
        }
        if let found = identity(file), found == identity(otherFile) { return true }
        let places = [file, otherFile].map { URL(filePath: $0).resolvingSymlinksInPath().standardizedFileURL.path }
        return places[0] == places[1]
    }
}
