import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import DataStoreTesting
import Testing

/// Tests of an index with a damaged entry whose record is intact.
@Suite struct DamagedIndexTests {
    private let field = QueryField("is")
    private let subject: LMDBSubject
    private let indexes: [IndexDefinition]
    private let schema: Schema
    private let key: Key

    init() async throws {
        subject = try LMDBSubject()
        indexes = [IndexDefinition(field, isCovering: true)]
        schema = try Schema([Schema.Collection("c", indexes: indexes)])
        key = try Key(collection: "c", id: "a")
        let store = try LMDBDataStore(path: subject.path)
        try await SchemaStore(store, schema: schema).write { [key] transaction in
            try transaction.put(["is": .bool(true), "text": .string("old")], for: key)
        }
        await store.close()
        // The id of the first index of a store, and the text of `true` before the record id.
        let entry = Array("\0x1\011a".utf8)
        let environment = try PlainLMDB(subject.path)
        var value = try #require(try environment.get(entry))
        value[value.count - 1] ^= 1
        try environment.put(value, for: entry)
    }

    private func texts(_ store: LMDBDataStore) throws -> [Value?] {
        let query = RecordQuery("c", where: .compare(field, .equal, .bool(true)), indexes: indexes)
        return try store.read { try $0.records(matching: query).entries.map { $0.record["text"] } }
    }

    @Test("A damaged index entry is found, and rebuilding repairs it")
    func rebuilt() async throws {
        let store = try LMDBDataStore(path: subject.path)
        let error = #expect(throws: DataStoreError.self) { try texts(store) }
        #expect(error?.code == .corrupted)
        #expect(try await store.check().findings.count == 1)
        #expect(try await SchemaStore(store).indexes().map(\.name) == ["is"])
        try await SchemaStore(store, schema: schema).rebuildIndexes()
        #expect(try texts(store) == [.string("old")])
        #expect(try await store.check().isClean)
        #expect(try await SchemaStore(store).checkIndexes().map(\.state) == [.ready])
        await store.close()
    }

    /// With a damaged record, an answer that reads the record fails.
    @Test("A count of an exact range reads only index entries")
    func count() async throws {
        let subject = try LMDBSubject()
        let plain = try Schema([Schema.Collection("c", indexes: [IndexDefinition(field)])])
        var store = try LMDBDataStore(path: subject.path)
        try await SchemaStore(store, schema: plain).write { [key] transaction in
            try transaction.put(["is": .bool(true)], for: key)
            // A scan also verifies the record after the entries.
            try transaction.put([:], for: Key(collection: "b", id: "neighbour"))
        }
        await store.close()
        try await subject.damage(key)
        store = try LMDBDataStore(path: subject.path)
        let query = RecordQuery(
            "c", where: .compare(field, .equal, .bool(true)), indexes: [IndexDefinition(field)])
        #expect(try store.read { try $0.count(matching: query) } == 1)
        #expect(throws: DataStoreError.self) { try store.read { try $0.records(matching: query) } }
        await store.close()
    }

    @Test("A damaged index entry is removed with the index")
    func removed() async throws {
        let store = try LMDBDataStore(path: subject.path)
        #expect(try await SchemaStore(store).removeIndex(of: "c", named: "is"))
        #expect(try texts(store) == [.string("old")])
        #expect(try await store.check().isClean)
        await store.close()
    }

    @Test("A save of its record replaces a damaged index entry")
    func saved() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await SchemaStore(store, schema: schema).write { [key] transaction in
            try transaction.put(["is": .bool(true), "text": .string("new")], for: key)
        }
        #expect(try texts(store) == [.string("new")])
        #expect(try await store.check().isClean)
        await store.close()
    }

    @Test("An index entry that holds another record is reported")
    func wrongRecord() async throws {
        let entry = Array("\0x1\011a".utf8)
        // The record has no fields, as in entries of other indexes.
        try PlainLMDB(subject.path).put(LMDBSubject.frame([0xA0], key: entry), for: entry)
        let store = try LMDBDataStore(path: subject.path)
        let report = try #require(try await SchemaStore(store).checkIndexes().first)
        #expect(
            report.state == .ready && !report.matchesRecords && report.entryCount == 1
                && report.missingCount == 1)
        try await SchemaStore(store, schema: schema).rebuildIndexes()
        #expect(try await SchemaStore(store).checkIndexes().map(\.matchesRecords) == [true])
        #expect(try texts(store) == [.string("old")])
        await store.close()
    }
}
