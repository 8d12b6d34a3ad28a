package import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import Foundation

/// A store of each kind in its own temporary directory, which is removed together with the object.
package final class StoreLocation: Sendable {
    package enum Kind: CaseIterable, Sendable {
        case memory, plist, lmdb
    }

    private let directory = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID())")
    private let kind: Kind
    private let memory = MemoryDataStore()

    /// Creates the directory of a store.
    package init(_ kind: Kind) throws {
        self.kind = kind
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Opens the store with the records that were written before.
    package func open() throws -> any DataStore {
        switch kind {
        case .memory: memory
        case .plist: try PlistDataStore(path: directory.appending(path: "store.plist").path)
        case .lmdb: try LMDBDataStore(path: directory.appending(path: "store").path)
        }
    }
}
