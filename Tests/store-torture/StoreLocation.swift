import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import DataStorePostgres

/// The path and the kind of a store. The path of a PostgreSQL store is a URI.
struct StoreLocation: Sendable {
    /// The kinds of stores. `--store NAME` before the command selects one.
    enum Kind: String {
        case lmdb, plist, postgres
    }

    let kind: Kind
    let path: String

    func open() throws -> any DataStore {
        switch kind {
        case .lmdb: try LMDBDataStore(path: path)
        case .plist: try PlistDataStore(path: path)
        case .postgres: try CurrentThreadExecutor.run { [path] in try await PostgresDataStore(path) }
        }
    }

    /// The path of the file that grows. A PostgreSQL store has none.
    var dataFile: String {
        switch kind {
        case .lmdb: "\(path)/data.mdb"
        case .plist, .postgres: path
        }
    }

    /// Returns a location inside this one, which is a directory.
    func within(_ name: String) -> StoreLocation { StoreLocation(kind: kind, path: "\(path)/\(name)") }
}
