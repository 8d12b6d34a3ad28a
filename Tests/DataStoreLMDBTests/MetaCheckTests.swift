import DamageTesting
import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation
import Testing

/// Tests of damage to the meta pages and to the file as a whole.
@Suite struct MetaCheckTests {
    private let store: FilledStore

    init() async throws {
        var generator = SeededGenerator(seed: 3)
        store = try await FilledStore(using: &generator)
    }

    @Test("Damaged meta pages are found, and the store is rejected")
    func damagedMetaPages() async throws {
        let before = try DataFileImage(store.path)
        // The offsets of the magic number, version, page size, root, last page and transaction number.
        for (offset, byteCount) in [(16, 4), (20, 4), (40, 4), (128, 8), (136, 8), (144, 8)] {
            try store.damage { file in
                let number = file.number(page: file.newestMeta, at: offset, byteCount)
                file.set(page: file.newestMeta, at: offset, byteCount, to: number ^ 0x10_0000)
            }
            let report = try await LMDBDataStore.check(store.path)
            let kind: LMDBDataStore.CheckReport.Finding.Kind = offset == 136 ? .truncated : .damagedMeta
            #expect(report.findings.contains { $0.kind == kind }, "\(offset)")
            #expect {
                try LMDBDataStore(path: store.path)
            } throws: { ($0 as? DataStoreError)?.code == .corrupted }
            try before.save()
        }
    }

    @Test("A meta page with a size that no number holds is damage, for an open store as well")
    func largestSize() async throws {
        let open = try LMDBDataStore(path: store.path)
        #expect(try open.read { try $0.collections() } == FilledStore.collections)
        try store.damage { file in for page in 0...1 { file.set(page: page, at: 32, 8, to: -1) } }
        await #expect {
            try await open.backup(to: "\(store.path).backup")
        } throws: { ($0 as? DataStoreError)?.code == .corrupted }
        #expect(!FileManager.default.fileExists(atPath: "\(store.path).backup"))
        await open.close()
        #expect {
            try LMDBDataStore(path: store.path)
        } throws: { ($0 as? DataStoreError)?.code == .corrupted }
        #expect(try await LMDBDataStore.check(store.path).findings.contains { $0.kind == .damagedMeta })
    }

    @Test("A meta page with a wrong transaction number is found")
    func contradictingMetaPages() async throws {
        // The older meta page gets a number above the one of the newer page, or the newer page a number below the older
        // one.
        let before = try DataFileImage(store.path)
        for isOlder in [true, false] {
            try store.damage { file in
                let meta = isOlder ? 1 - file.newestMeta : file.newestMeta
                file.set(page: meta, at: 144, 8, to: file.number(page: meta, at: 144, 8) + (isOlder ? 2 : -2))
            }
            // As a store and as a single file.
            for path in [store.path, "\(store.path)/data.mdb"] {
                #expect(try await LMDBDataStore.check(path).findings.map(\.kind) == [.damagedMeta])
            }
            try before.save()
        }
    }

    @Test("A read fails if the meta page of the last commit belongs to a later commit")
    func overwrittenMetaPage() async throws {
        let open = try LMDBDataStore(path: store.path)
        #expect(try open.read { try $0.collections() } == FilledStore.collections)
        let intact = try DataFileImage(store.path)
        try store.damage { file in
            file.set(page: file.newestMeta, at: 144, 8, to: file.transaction + 2)
        }
        // liblmdb would read the page, because it remembers the number of the last commit in memory.
        #expect {
            try open.read { try $0.collections() }
        } throws: { ($0 as? DataStoreError)?.code == .corrupted }
        try intact.save()
        #expect(try open.read { try $0.collections() } == FilledStore.collections)
        await open.close()
    }

    @Test("A file of another LMDB version is an error and not damage")
    func otherVersions() async throws {
        try store.damage { file in for page in 0...1 { file.set(page: page, at: 20, 4, to: 999) } }
        await #expect {
            try await LMDBDataStore.check(store.path)
        } throws: { ($0 as? DataStoreError)?.code == .unsupportedFormat }
        #expect {
            try LMDBDataStore(path: store.path)
        } throws: { ($0 as? DataStoreError)?.code == .unsupportedFormat }
    }

    @Test("A newer format is an error and not damage")
    func newerFormat() async throws {
        let key = [0] + Array("format".utf8)
        let version: [UInt8] = [0xA1, 0x67] + Array("version".utf8) + [0x04]
        try PlainLMDB(store.path).put(LMDBSubject.frame(version, key: key), for: key)
        for path in [store.path, "\(store.path)/data.mdb"] {
            await #expect {
                try await LMDBDataStore.check(path)
            } throws: { ($0 as? DataStoreError)?.code == .unsupportedFormat }
        }
    }

    @Test("A truncated file is found")
    func truncatedFile() async throws {
        let whole = try DataFileImage(store.path)
        // An empty file is a store without a commit.
        for pageCount in [1, 2, 3, whole.pageCount / 2, whole.recordRoot] {
            var file = whole
            file.bytes = Array(whole.bytes.prefix(pageCount * DataFileImage.pageSize))
            try file.save()
            let report = try await LMDBDataStore.check(store.path)
            #expect(
                report.findings.contains { $0.kind == .truncated || pageCount == 1 && $0.kind == .damagedMeta },
                "\(pageCount) pages")
        }
    }

    @Test("An open store finds damage of its file")
    func openStore() async throws {
        let open = try LMDBDataStore(path: store.path)
        #expect(try await open.check().isClean)
        let leaf = try store.damage { file in
            let leaf = file.children(of: file.recordRoot)[1]
            file.set(page: leaf, at: 8, 8, to: 0)
            return leaf
        }
        #expect(try await open.check().findings.map(\.page) == [UInt64(leaf)])
        await open.close()
    }
}
