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

    /// Version 1 is the highest that libraries without migrations open.
    @Test("A breaking migration raises the format version, and an additive one does not")
    func formatVersion() async throws {
        try await migrated([.backfill("additive", of: "c", "m", with: .integer(1))])
        let key = [0] + Array("format".utf8)
        #expect(try PlainLMDB(subject.path).get(key)?.last == 1)
        #expect(try PlainLMDB(subject.path).get([0] + Array("index\0c".utf8))?.isEmpty == false)
        try await migrated([.backfill("additive", of: "c", "m", with: .integer(1))] + migrations)
        #expect(try PlainLMDB(subject.path).get(key)?.last == 2)
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
        #expect(try PlainLMDB(target.path).get([0] + Array("format".utf8))?.last == 2)
    }
}
