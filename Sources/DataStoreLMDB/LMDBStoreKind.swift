import DataStoreSystem

/// The kind of store that is an LMDB environment. The address is the path of its directory.
package struct LMDBStoreKind: StoreKind {
    package let scheme = "lmdb"

    /// Whether an opened store verifies every page before it uses the page.
    private let verifiesPages: Bool

    package init(verifiesPages: Bool = false) { self.verifiesPages = verifiesPages }

    package var verifying: any StoreKind { LMDBStoreKind(verifiesPages: true) }

    package func address(from text: String) throws(DataStoreError) -> String { try path(from: text) }

    package func open(at address: String, report: (@Sendable (String) -> Void)?) async throws -> any DataStore {
        var options = LMDBDataStore.Options(verifiesPages: verifiesPages)
        if let report { options.report = { event in report("\(event)") } }
        return try LMDBDataStore(path: address, options: options)
    }

    package func dataFile(at address: String) -> String? { "\(address)/data.mdb" }

    package func format(at address: String) async throws -> String { "LMDB environment, checksummed CBOR" }

    package func pageStatistics(at address: String) async throws -> PageStatistics? {
        try await LMDBDataStore(path: address).closing { try $0.statistics() }
    }

    package func check(at address: String) async throws -> [String] {
        try await LMDBDataStore.check(address).problems
    }

    package func backUp(at address: String, to path: String) async throws {
        try await LMDBDataStore(path: address).closing { try await $0.backup(to: path) }
    }

    package func restore(at address: String, from backup: String) async throws -> String {
        try await LMDBDataStore.restore(address, from: backup)
    }

    package func compact(at address: String) async throws { try await LMDBDataStore.compact(address) }

    package func salvage(at address: String, into target: any DataStore) async throws -> RecoveryReport {
        let report = try await LMDBDataStore.salvage(address, into: target)
        var losses = report.findings.map { "\($0)" }
        losses += report.lostKeys.map { "the record \($0) is lost" }
        losses += report.keptKeys.map { "the record \($0) was not copied: the target has a different one" }
        if report.mayBeOutdated { losses.append("the copied records may be older than the last save") }
        return RecoveryReport(savedCount: report.savedCount, losses: losses)
    }
}
