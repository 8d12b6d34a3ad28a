import DamageTesting
import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import DataStoreTesting
import Foundation
import Testing

/// Tests of the recovery of the intact records of a damaged store.
@Suite struct SalvageTests {
    private let store: FilledStore
    private let target = MemoryDataStore()

    init() async throws {
        var generator = SeededGenerator(seed: 2)
        store = try await FilledStore(using: &generator)
    }

    @Test("Salvaging copies an intact store")
    func soundStore() async throws {
        let report = try await LMDBDataStore.salvage(store.path, into: target)
        #expect(report.savedCount == store.records.count)
        #expect(report.findings.isEmpty && report.lostKeys.isEmpty && report.keptKeys.isEmpty && !report.mayBeOutdated)
        #expect(try saved() == store.records)
        // A second run has nothing left to do.
        #expect(try await LMDBDataStore.salvage(store.path, into: target).savedCount == 0)
    }

    @Test("Salvaging keeps unique fields")
    func uniqueFields() async throws {
        let subject = try LMDBSubject()
        let damaged = try LMDBDataStore(path: subject.path)
        let schema = try Schema([Schema.Collection("c", indexes: [.unique("text"), .on("n")])])
        let key = try Key(collection: "c", id: "a")
        try await SchemaStore(damaged, schema: schema).write { try $0.put(["text": .string("same")], for: key) }
        await damaged.close()
        let other = try LMDBDataStore(path: subject.directory.appending(path: "other").path)
        for _ in 0..<2 { _ = try await LMDBDataStore.salvage(subject.path, into: other) }
        // A program without declarations.
        let error = await #expect(throws: DataStoreError.self) {
            try await SchemaStore(other).write {
                try $0.put(["text": .string("same")], for: Key(collection: "c", id: "b"))
            }
        }
        #expect(error?.code == .notUnique)
        let reports = try await SchemaStore(other).checkIndexes()
        #expect(reports.map(\.name).sorted() == ["n", "text"] && reports.allSatisfy(\.matchesRecords))
        await other.close()
    }

    @Test("Salvaging to an LMDB store takes several transactions")
    func severalTransactions() async throws {
        let subject = try LMDBSubject()
        let large = try LMDBDataStore(path: subject.path)
        try await large.write { transaction in
            for number in 0..<2500 {
                try transaction.put(["n": .integer(Int64(number))], for: Key(collection: "n", id: "\(number)"))
            }
            for number in 0..<6 {
                try transaction.put(
                    ["data": .data(Array(repeating: UInt8(number), count: 1 << 20))],
                    for: Key(collection: "large", id: "\(number)"))
            }
        }
        await large.close()
        let other = try LMDBDataStore(path: subject.directory.appending(path: "other").path)
        let report = try await LMDBDataStore.salvage(subject.path, into: other)
        #expect(report.savedCount == 2506)
        #expect(try other.read { try $0.records(in: Scan("n")).count } == 2500)
        #expect(
            try other.read { try $0.records(in: Scan("large")).map { $0.record["data"] } }
                == (0..<6).map { .data(Array(repeating: UInt8($0), count: 1 << 20)) })
        #expect(try other.generation() >= 4, "several transactions")
        await other.close()
    }

    @Test("A damaged record is lost and named")
    func damagedRecord() async throws {
        let key = try #require(store.records.keys.sorted().first)
        try store.damage { file in
            // The current version of the key, on a page in use.
            let bytes = Array(key.collection.utf8) + [0] + Array(key.id.utf8)
            for page in 2..<file.pageCount where file.flags(page: page) == 0x02 && file.isInUse(page) {
                for node in file.nodes(of: page) {
                    let start = page * DataFileImage.pageSize + node + 8
                    if file.number(page: page, at: node + 6, 2) == bytes.count, file.bytes[start...].starts(with: bytes)
                    {
                        file.bytes[start + bytes.count + 2] ^= 0xFF
                    }
                }
            }
        }
        let report = try await LMDBDataStore.salvage(store.path, into: target)
        #expect(report.lostKeys == [key.description])
        #expect(!report.mayBeOutdated)
        var expected = store.records
        expected[key] = nil
        #expect(try saved() == expected)
    }

    @Test("Records below a damaged branch are found")
    func damagedBranch() async throws {
        let root = try store.damage { file in
            let root = file.recordRoot
            file.zero(page: root)
            return root
        }
        let report = try await LMDBDataStore.salvage(store.path, into: target)
        #expect(try saved() == store.records)
        #expect(!report.mayBeOutdated)
        #expect(report.findings.filter { $0.kind == .damagedPage }.map(\.page) == [UInt64(root)])
        #expect(report.lostKeys == [])
    }

    @Test("A damaged list of free pages loses no record")
    func damagedFreeList() async throws {
        try store.damage { $0.zero(page: $0.freeRoot) }
        let report = try await LMDBDataStore.salvage(store.path, into: target)
        #expect(try saved() == store.records)
        #expect(!report.mayBeOutdated)
    }

    @Test("With a damaged meta page, the previous transaction is salvaged")
    func damagedMetaPage() async throws {
        try store.damage { $0.zero(page: $0.newestMeta) }
        let report = try await LMDBDataStore.salvage(store.path, into: target)
        #expect(report.mayBeOutdated)
        let records = try saved()
        #expect(records.count > 200)
        for (key, record) in records { #expect(store.versions[key]?.contains(record) == true) }
    }

    @Test("Two damaged meta pages are an error")
    func twoDamagedMetaPages() async throws {
        try store.damage { file in for page in 0...1 { file.set(page: page, at: 128, 8, to: 1) } }
        let report = try await LMDBDataStore.salvage(store.path, into: target)
        let records = try saved()
        #expect(report.mayBeOutdated || records == store.records)
        try store.damage { file in for page in 0...1 { file.zero(page: page) } }
        await #expect {
            try await LMDBDataStore.salvage(store.path, into: target)
        } throws: { ($0 as? DataStoreError)?.code == .notAStore }
    }

    @Test("Salvaging replaces no record of the target")
    func keptRecords() async throws {
        let keys = store.records.keys.sorted()
        let (mine, same) = (keys[0], keys[1])
        let sameRecord = try #require(store.records[same])
        try await target.write { transaction in
            try transaction.put(["mine": .bool(true)], for: mine)
            try transaction.put(sameRecord, for: same)
        }
        let report = try await LMDBDataStore.salvage(store.path, into: target)
        #expect(report.keptKeys == [mine])
        #expect(report.savedCount == store.records.count - 2)
        #expect(try target.read { try $0.record(for: mine) } == ["mine": .bool(true)])
    }

    @Test("Salvaging changes nothing in the damaged store")
    func unchangedSource() async throws {
        try FileManager.default.removeItem(atPath: "\(store.path)/lock.mdb")
        try store.damage { $0.zero(page: $0.recordRoot) }
        let before = try DataFileImage(store.path).bytes
        for path in [store.path, "\(store.path)/data.mdb"] {
            let report = try await LMDBDataStore.salvage(path, into: MemoryDataStore())
            #expect(report.savedCount == store.records.count)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.path) == ["data.mdb"])
        #expect(try DataFileImage(store.path).bytes == before)
    }

    @Test("Salvaging a store to itself is rejected")
    func sameStore() async throws {
        let same = try LMDBDataStore(path: store.path)
        await #expect {
            try await LMDBDataStore.salvage(store.path, into: same)
        } throws: { ($0 as? DataStoreError)?.code == .readOnly }
        await same.close()
    }

    @Test("A path that is not a store is rejected")
    func notAStore() async throws {
        let directory = URL(filePath: store.path).deletingLastPathComponent().path
        let paths: KeyValuePairs<String, DataStoreError.Code> = [
            directory: .noStore, "/nowhere": .noStore, "\(store.path)/lock.mdb": .notAStore,
        ]
        for (path, code) in paths {
            await #expect {
                try await LMDBDataStore.salvage(path, into: target)
            } throws: { ($0 as? DataStoreError)?.code == code }
        }
    }

    private func saved() throws -> [Key: Record] {
        var records: [Key: Record] = [:]
        for collection in FilledStore.collections {
            for entry in try target.read({ try $0.records(in: Scan(collection)) }) { records[entry.key] = entry.record }
        }
        return records
    }
}
