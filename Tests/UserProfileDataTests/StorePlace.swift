import DataStoreCore
import DataStoreLMDB
import DataStoreMemory
import DataStorePlist
import Foundation
import Testing

/// Every kind of store, each in a directory of its own that goes with the object.
final class StorePlace: Sendable {
    enum Kind: CaseIterable {
        case memory, plist, lmdb
    }

    private let directory = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID())")
    private let kind: Kind
    private let memory = MemoryDataStore()

    init(_ kind: Kind) throws {
        self.kind = kind
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Opens the store. What was in it before is still there.
    func open() throws -> any DataStore {
        switch kind {
        case .memory: memory
        case .plist: try PlistDataStore(path: directory.appending(path: "store.plist").path)
        case .lmdb: try LMDBDataStore(path: directory.appending(path: "store").path)
        }
    }
}
