import DataStoreCore
import DataStorePlist
import Foundation
import UserProfileDomain

/// Property-list files. The address is the path of the file.
struct PlistStoreKind: StoreKind {
    let scheme = "plist"

    /// A property list holds few records, and reading never writes to its file.
    let storesIndexes = false

    func address(from text: String) throws(ValidationError) -> String { try path(from: text) }

    func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        try PlistDataStore(path: address)
    }

    func dataFile(at address: String) -> String? { address }

    func format(at address: String) async throws -> String {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: address))
            let beginning = try handle.read(upToCount: 6)
            try handle.close()
            return beginning == Data("bplist".utf8) ? "binary property list" : "XML property list"
        } catch {
            throw DataStoreError(
                .inputOutput, error.localizedDescription, operation: "read the file", path: address, underlying: error)
        }
    }

    func backUp(at address: String, to path: String) async throws {
        try await PlistDataStore(path: address).closing { try await $0.backup(to: path) }
    }
}
