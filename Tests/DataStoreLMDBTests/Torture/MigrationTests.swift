import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import DataStoreTesting
import Testing
import TestScale
import TortureKit

/// Tests of migrations of a store that several programs use.
@Suite struct MigrationTests {
    private let subject: LMDBSubject
    private let migrations = [Migration("breaking", of: "c") { record, _ -> Record? in record }]

    init() throws { subject = try LMDBSubject() }

    @Test("A killed migration continues, and an older program stops writing")
    func kills() async throws {
        let findings = try await MigrationRun(subject, recordCount: 4500).findings(killCount: 8)
        #expect(findings == [])
    }

    private func migrated(_ migrations: [Migration]) async throws {
        let store = try await subject.open()
        let schema = try Schema([.init("c", indexes: [.unique("n")])], migrations: migrations)
        try await SchemaStore(store).write { try $0.put(["n": .integer(1)], for: Key(collection: "c", id: "a")) }
        try await SchemaStore(store, schema: schema).migrate()
        try await SchemaStore(store, schema: schema).buildIndexes()
        await store.close()
    }

    @Test("Salvaged records keep their migrations")
    func salvage() async throws {
        try await migrated(migrations)
        let target = try LMDBSubject()
        let store = try await target.open()
        _ = try await LMDBDataStore.salvage(subject.path, into: store)
        #expect(try await SchemaStore(store).migrations().map(\.name) == ["breaking"])
        let error = await #expect(throws: DataStoreError.self) {
            try await SchemaStore(store, schema: Schema([.init("c")])).migrate()
        }
        #expect(error?.code == .unknownMigration)
        await store.close()
    }
}
