import DataStoreCore
import DataStorePlist
import DataStoreQueries
import DataStoreTesting
import Foundation
import Testing
import TortureKit

/// Tests of migrations of a file that several programs use.
@Suite struct MigrationTests {
    @Test("A killed migration is complete or has no effect, and an older program stops writing")
    func kills() async throws {
        let findings = try await MigrationRun(PlistSubject(), recordCount: 300).findings(killCount: 4)
        #expect(findings == [])
    }

    /// Version 2 is the highest that libraries without migrations open.
    @Test("A breaking migration raises the format version, and an additive one does not")
    func formatVersion() async throws {
        let subject = try PlistSubject()
        let migrations = [
            Migration.backfill("additive", of: "c", "m", with: .integer(1)),
            .renameField("breaking", of: "c", "n", to: "o"),
        ]
        for (count, version) in [(1, 1), (2, 3)] {
            let store = try await subject.open()
            try await store.write { try $0.put(["n": .integer(1)], for: Key(collection: "c", id: "\(count)")) }
            try await SchemaStore(store, schema: Schema([], migrations: Array(migrations.prefix(count)))).migrate()
            await store.close()
            let root = try unsafe PropertyListSerialization.propertyList(
                from: Data(contentsOf: URL(filePath: subject.path)), format: nil)
            let entries = try #require((root as? [String: Any])?["UserProfile"] as? [String: Any])
            #expect(entries["$format"] as? Int == version)
        }
    }
}
