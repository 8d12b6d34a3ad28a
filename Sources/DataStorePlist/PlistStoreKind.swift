import DataStoreSystem

/// The kind of store that is a property-list file. The address is the path of the file.
package struct PlistStoreKind: StoreKind {
    package let scheme = "plist"

    /// `false`: the file contains few records, so the store creates an index in memory when a query needs it.
    package let storesIndexes = false

    package init() {}

    package func address(from text: String) throws(DataStoreError) -> String { try path(from: text) }

    package func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        try PlistDataStore(path: address)
    }

    package func dataFile(at address: String) -> String? { address }

    package func format(at address: String) async throws -> String {
        let beginning = try File.openForReading(address)?.read(at: 0, count: 6)
        return beginning == Array("bplist".utf8) ? "binary property list" : "XML property list"
    }

    package func backUp(at address: String, to path: String) async throws {
        try await PlistDataStore(path: address).closing { try await $0.backup(to: path) }
    }

    package func restore(at address: String, from backup: String) async throws -> String {
        try await DataStoreError.adding(operation: "restore the store", path: address) {
            let file = PlistFile(path: try Path.absolute(address), newFormat: .xml, lockTimeout: .seconds(30))
            let backup = try Path.absolute(backup)
            return try await Thread.run { _ in try file.restore(from: backup) }
        }
    }

    /// Does nothing. The file never contains deleted values, because each save writes the whole file.
    package func compact(at address: String) async throws {}

    package func recover(at address: String) async throws -> RecoveryReport {
        try await PlistDataStore.recover(address)
    }
}
