import DataStoreCore
import DataStoreSystem
import DataStorePlist
import UserProfileDomain

/// The kind of store that is a property-list file. The address is the path of the file.
struct PlistStoreKind: StoreKind {
    let scheme = "plist"

    /// `false`: the file contains few records, so the store creates an index in memory when a query needs it.
    let storesIndexes = false

    func address(from text: String) throws(ValidationError) -> String { try path(from: text) }

    func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        try PlistDataStore(path: address)
    }

    func dataFile(at address: String) -> String? { address }

    func format(at address: String) async throws -> String {
        let beginning = try File.openForReading(address)?.read(at: 0, count: 6)
        return beginning == Array("bplist".utf8) ? "binary property list" : "XML property list"
    }

    func backUp(at address: String, to path: String) async throws {
        try await PlistDataStore(path: address).closing { try await $0.backup(to: path) }
    }

    /// Does nothing. The file never contains deleted values, because each save writes the whole file.
    func compact(at address: String) async throws {}
}
