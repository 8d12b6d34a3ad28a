import DataStoreCore
import DataStoreLMDB
import DataStorePlist

/// The path and the kind of a store.
struct StoreLocation: Sendable {
    /// The kinds of stores. `--store NAME` before the command selects one.
    enum Kind: String {
        case lmdb, plist
    }

    let kind: Kind
    let path: String

    func open() throws -> any DataStore {
        switch kind {
        case .lmdb: try LMDBDataStore(path: path)
        case .plist: try PlistDataStore(path: path)
        }
    }

    /// The path of the file that grows.
    var dataFile: String {
        switch kind {
        case .lmdb: "\(path)/data.mdb"
        case .plist: path
        }
    }

    /// Returns a location inside this one, which is a directory.
    func within(_ name: String) -> StoreLocation { StoreLocation(kind: kind, path: "\(path)/\(name)") }
}
