import DataStoreCore
import DataStoreLMDB
import DataStoreQueries
import Foundation
import Testing

/// Tests of compaction, which replaces the data file of a store by a copy without free pages.
@Suite struct CompactTests {
    private let subject: LMDBSubject

    init() throws { subject = try LMDBSubject() }

    private static let secret = "deleted.address@example.com"

    private var dataFile: URL { URL(filePath: "\(subject.path)/data.mdb") }

    private func containsSecret() throws -> Bool {
        try Data(contentsOf: dataFile).range(of: Data(Self.secret.utf8)) != nil
    }

    /// Saves records, and deletes the ones with the address.
    private func fill() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { transaction in
            for number in 0..<500 {
                let text = number.isMultiple(of: 5) ? "user\(number)@example.com" : Self.secret
                try transaction.put(["mail": .string(text)], for: Key(collection: "users", id: "\(number)"))
            }
        }
        try await store.write { transaction in
            for number in 0..<500 where !number.isMultiple(of: 5) {
                try transaction.remove(Key(collection: "users", id: "\(number)"))
            }
        }
        await store.close()
        try #require(try containsSecret())
    }

    private func entries() async throws -> [Entry] {
        let store = try LMDBDataStore(path: subject.path)
        let entries = try store.read { try $0.records(in: Scan("users")) }
        #expect(try await store.check().isClean)
        await store.close()
        return entries
    }

    @Test("Compacting removes the bytes of deleted values and keeps the records")
    func deletedBytes() async throws {
        try await fill()
        let before = try await entries()
        #expect(before.count == 100)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: dataFile.path)
        // The temporary files of killed compactions, one of them by another user.
        for number in 1...2 {
            let leftover = "\(subject.path)/.data.mdb.compacting-000000000000\(number)"
            try Data(Self.secret.utf8).write(to: URL(filePath: leftover))
            if number == 2, getuid() == 0 {
                try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: leftover)
            }
        }
        let size = try Data(contentsOf: dataFile).count
        try await LMDBDataStore.compact(subject.path)
        #expect(try !containsSecret())
        #expect(try Data(contentsOf: dataFile).count < size)
        #expect(
            try FileManager.default.attributesOfItem(atPath: dataFile.path)[.posixPermissions] as? Int == 0o640)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: subject.path)) == ["data.mdb", "lock.mdb"])
        #expect(try await entries() == before)
        // The compacted store can be written to and compacted again.
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { try $0.put(["n": .integer(1)], for: Key(collection: "users", id: "new")) }
        await store.close()
        try await LMDBDataStore.compact(subject.path)
        #expect(try await entries().count == 101)
    }

    @Test("Deleted values remain neither in a compacted store nor in a backup, not even as keys of an index")
    func deletedKeys() async throws {
        let store = try LMDBDataStore(path: subject.path)
        let index = IndexDefinition(QueryField("mail"))
        let records = SchemaStore(store, schema: try Schema([Schema.Collection("users", indexes: [index])]))
        let keys = try (0..<2000).map { try Key(collection: "users", id: "\($0)") }
        try await records.write { transaction in
            for (number, key) in keys.enumerated() {
                try transaction.put(["mail": .string("\(number).\(Self.secret)")], for: key)
            }
        }
        try await records.write { transaction in
            for key in keys { try transaction.put(["mail": .string("\(key.id)@example.com")], for: key) }
        }
        let backup = "\(subject.path).backup"
        try await store.backup(to: backup)
        #expect(try Data(contentsOf: URL(filePath: "\(backup)/data.mdb")).range(of: Data(Self.secret.utf8)) == nil)
        await store.close()
        try #require(try containsSecret())
        try await LMDBDataStore.compact(subject.path)
        #expect(try !containsSecret())
        #expect(try await entries().count == keys.count)
    }

    @Test("A copy of large values is committed in parts")
    func largeValues() async throws {
        let store = try LMDBDataStore(path: subject.path)
        for number in 0..<5 {
            let data = [UInt8](repeating: UInt8(number), count: 7 << 20)
            try await store.write { try $0.put(["data": .data(data)], for: Key(collection: "users", id: "\(number)")) }
        }
        await store.close()
        let before = try await entries()
        try await LMDBDataStore.compact(subject.path)
        #expect(try await entries() == before)
    }

    @Test("A store that this process has open is not compacted")
    func openStore() async throws {
        try await fill()
        let bytes = try Data(contentsOf: dataFile)
        let store = try LMDBDataStore(path: subject.path)
        await #expect { try await LMDBDataStore.compact(subject.path) } throws: { error in
            (error as? DataStoreError)?.code == .busy && "\(error)".contains("this process has it open")
        }
        await store.close()
        #expect(try Data(contentsOf: dataFile) == bytes)
        try await LMDBDataStore.compact(subject.path)
    }

    @Test("A missing store, a damaged store and a file with two hard links are not compacted")
    func rejectedStores() async throws {
        await #expect { try await LMDBDataStore.compact(subject.path) } throws: {
            ($0 as? DataStoreError)?.code == .noStore
        }
        #expect(!FileManager.default.fileExists(atPath: subject.path))
        try await fill()
        let link = URL(filePath: "\(subject.path)/other.mdb")
        try FileManager.default.linkItem(at: dataFile, to: link)
        await #expect { try await LMDBDataStore.compact(subject.path) } throws: { error in
            (error as? DataStoreError)?.code == .notAStore && "\(error)".contains("2 hard links")
        }
        try FileManager.default.removeItem(at: link)
        var bytes = try Data(contentsOf: dataFile)
        let address = Data("user250@example.com".utf8)
        try #require(bytes.range(of: address) != nil)
        while let range = bytes.range(of: address) { bytes[range.lowerBound] ^= 1 }
        try bytes.write(to: dataFile)
        await #expect { try await LMDBDataStore.compact(subject.path) } throws: {
            ($0 as? DataStoreError)?.code == .corrupted
        }
        #expect(try Data(contentsOf: dataFile) == bytes)
    }
}
