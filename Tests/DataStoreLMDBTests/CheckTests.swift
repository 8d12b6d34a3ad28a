import DamageTesting
import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation
import Testing

/// Tests that a check finds each kind of damage, and describes the damage so that the user can act on it.
@Suite struct CheckTests {
    private let store: FilledStore

    init() async throws {
        var generator = SeededGenerator(seed: 1)
        store = try await FilledStore(using: &generator)
    }

    @Test("A damaged record is named")
    func damagedRecord() async throws {
        // The text occurs once in the record. Free pages may contain it, too.
        try await put(["text": .string("a text to be found")], for: "id\u{7}\u{1B}[m")
        try store.damage { file in
            let offset = try #require(file.offset(of: Array("a text to be found".utf8)))
            file.bytes[offset] ^= 0x01
        }
        let report = try await LMDBDataStore.check(store.path)
        #expect(report.recordCount == store.records.count)
        #expect(report.findings.count == 1)
        #expect(report.findings.first?.kind == .badRecord)
        #expect(report.findings.first?.object == "the record users/id\\u{7}\\u{1b}[m")
        #expect(report.findings.first?.description.contains("checksum") == true)
    }

    @Test("A record under a key that no store writes is named")
    func foreignKey() async throws {
        try PlainLMDB(store.path).put(Array("value".utf8), for: Array("no NUL".utf8))
        let findings = try await LMDBDataStore.check(store.path).findings
        #expect(findings.map(\.kind) == [.badRecord])
        #expect(findings.first?.object == "the record no NUL")
    }

    @Test("A missing format version is found")
    func missingFormat() async throws {
        try store.damage { file in
            // The leaf with the first key.
            var page = file.recordRoot
            while file.flags(page: page) == 0x01 { page = try #require(file.children(of: page).first) }
            let node = try #require(file.nodes(of: page).first)
            file.set(page: page, at: node + 8, 1, to: 1)
        }
        let report = try await LMDBDataStore.check(store.path)
        #expect(report.findings.map(\.kind) == [.badRecord, .badRecord])
        #expect(Set(report.findings.map(\.object)) == ["the record \\u{1}format", "the format version"])
    }

    @Test("A leaf of zeros is a damaged page")
    func zeroedLeaf() async throws {
        let leaf = try store.damage { file in
            let leaf = file.children(of: file.recordRoot)[1]
            file.zero(page: leaf)
            return leaf
        }
        let findings = try await LMDBDataStore.check(store.path).findings
        #expect(findings.map(\.kind) == [.damagedPage])
        #expect(findings.first?.page == UInt64(leaf))
    }

    @Test("A page with the number of another page is damaged")
    func wrongPageNumber() async throws {
        let leaf = try store.damage { file in
            let leaves = file.children(of: file.recordRoot)
            let other = leaves[2] * DataFileImage.pageSize
            file.bytes.replaceSubrange(
                (leaves[1] * DataFileImage.pageSize)..<((leaves[1] + 1) * DataFileImage.pageSize),
                with: Array(file.bytes[other..<(other + DataFileImage.pageSize)]))
            return leaves[1]
        }
        let findings = try await LMDBDataStore.check(store.path).findings
        #expect(findings.map(\.page) == [UInt64(leaf)])
    }

    /// Trees with cycles, with page numbers out of range, and with references to free pages.

    @Test(
        "A tree with a cycle, a missing page or a free page is damaged",
        arguments: ["itself", "sibling", "nowhere", "free"])
    func wrongPointer(_ target: String) async throws {
        try store.damage { file in
            let root = file.recordRoot
            let number =
                switch target {
                case "itself": root
                case "sibling": file.children(of: root)[2]
                case "nowhere": 1 << 40
                default: try #require((2..<file.pageCount).first { file.flags(page: $0) == 2 && !file.isInUse($0) })
                }
            file.set(page: root, at: file.nodes(of: root)[1], 6, to: number)
        }
        let report = try await LMDBDataStore.check(store.path)
        #expect(!report.isClean)
        #expect(report.findings.contains { $0.kind == .damagedPage || $0.kind == .damagedFreeList })
        #expect(report.recordCount < store.records.count || target == "free")
    }

    @Test("Wrong counts in the meta page are found")
    func wrongCounts() async throws {
        for offset in [96, 104, 112, 120] {
            let before = try DataFileImage(store.path)
            try store.damage { file in
                let meta = file.newestMeta
                file.set(page: meta, at: offset, 8, to: file.number(page: meta, at: offset, 8) + 1)
            }
            let report = try await LMDBDataStore.check(store.path)
            #expect(report.findings.map(\.kind) == [.wrongCount], "\(offset)")
            #expect(report.recordCount == store.records.count)
            try before.save()
        }
    }

    @Test("A damaged list of free pages is found")
    func damagedFreeList() async throws {
        let before = try DataFileImage(store.path)
        try store.damage { $0.zero(page: $0.freeRoot) }
        var report = try await LMDBDataStore.check(store.path)
        #expect(report.findings.map(\.kind) == [.damagedFreeList])
        #expect(report.recordCount == store.records.count)
        // The number of a page in use replaces the highest one in the last list of free pages.
        try before.save()
        try store.damage { file in
            let node = try #require(file.nodes(of: file.freeRoot).last)
            file.set(page: file.freeRoot, at: node + 24, 8, to: file.recordRoot)
        }
        report = try await LMDBDataStore.check(store.path)
        #expect(report.findings.contains { $0.kind == .damagedFreeList })
        // One free page is no longer listed.
        try before.save()
        try store.damage { file in
            let node = try #require(file.nodes(of: file.freeRoot).last)
            let count = file.number(page: file.freeRoot, at: node + 16, 8)
            file.set(page: file.freeRoot, at: node + 16, 8, to: count - 1)
        }
        report = try await LMDBDataStore.check(store.path)
        #expect(report.findings.map(\.kind) == [.lostPages])
    }

    private func put(_ record: Record, for id: String) async throws {
        let open = try LMDBDataStore(path: store.path)
        let key = try Key(collection: "users", id: id)
        try await open.write { try $0.put(record, for: key) }
        await open.close()
    }
}
