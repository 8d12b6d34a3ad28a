import DataStoreCore
import DataStoreLMDB
import UserProfileDomain

/// The kind of store that is an LMDB environment. The address is the path of its directory.
struct LMDBStoreKind: StoreKind {
    let scheme = "lmdb"

    /// Whether an opened store verifies every page before it uses the page.
    var verifiesPages = false

    func address(from text: String) throws(ValidationError) -> String { try path(from: text) }

    func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        var options = LMDBDataStore.Options(verifiesPages: verifiesPages)
        if let report { options.report = { event in report("\(event)") } }
        return try LMDBDataStore(path: address, options: options)
    }

    func dataFile(at address: String) -> String? { "\(address)/data.mdb" }

    func format(at address: String) async throws -> String { "LMDB environment, checksummed CBOR" }

    func check(at address: String) async throws -> [String] {
        try await LMDBDataStore.check(address).problems
    }

    func backUp(at address: String, to path: String) async throws {
        try await LMDBDataStore(path: address).closing { try await $0.backup(to: path) }
    }

    func compact(at address: String) async throws { try await LMDBDataStore.compact(address) }
}
