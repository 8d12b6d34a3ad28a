import DataStoreCore
import DataStoreLMDB
import DataStorePlist

/// Where a store is, and of which kind it is.
struct StorePlace: Sendable {
    /// The stores that the commands know. `--store NAME` before the command says which.
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

    /// The file that grows.
    var dataFile: String {
        switch kind {
        case .lmdb: "\(path)/data.mdb"
        case .plist: path
        }
    }

    /// A place in this one, which is a directory.
    func within(_ name: String) -> StorePlace { StorePlace(kind: kind, path: "\(path)/\(name)") }
}
