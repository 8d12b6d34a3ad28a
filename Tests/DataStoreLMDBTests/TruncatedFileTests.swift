import DataStoreCore
import DataStoreLMDB
import Foundation
import Testing

/// Tests of a truncated data file. LMDB itself would crash with SIGBUS.
@Suite struct TruncatedFileTests {
    private let subject: LMDBSubject
    private var dataFile: URL { URL(filePath: "\(subject.path)/data.mdb") }

    init() throws { subject = try LMDBSubject() }

    @Test("A file that lacks used pages at its end is damaged")
    func missingPages() async throws {
        try await fill()
        let whole = try Data(contentsOf: dataFile)
        let pages = whole.count / 4096
        #expect(pages > 20)
        for page in 0..<pages {
            try whole.prefix(page * 4096 + page % 4096).write(to: dataFile)
            do {
                let store = try LMDBDataStore(path: subject.path)
                // If only unreferenced pages were cut off, all records are still there.
                #expect(try page == 0 || store.read { try $0.records(in: Scan("c")).count } == 40)
                await store.close()
            } catch let error as DataStoreError {
                #expect(error.code == .corrupted || error.code == .notAStore)
                #expect(try Data(contentsOf: dataFile).count == page * 4096 + page % 4096, "it was left as it was")
            }
        }
        try whole.write(to: dataFile)
        let store = try LMDBDataStore(path: subject.path)
        #expect(try store.read { try $0.records(in: Scan("c")).count } == 40)
        await store.close()
    }

    @Test("Free pages at the end of the file may be missing")
    func missingFreePages() async throws {
        // LMDB does not write pages that were allocated and freed in one transaction, so an intact file can be shorter
        // than its page count says.
        try await fill()
        var store = try LMDBDataStore(path: subject.path)
        let key = try Key(collection: "c", id: "large")
        let before = try Data(contentsOf: dataFile).count
        try await store.write { try $0.put(["data": .data(Array(repeating: 1, count: 400_000))], for: key) }
        try await store.write { _ = try $0.remove(key) }
        // Later writes reuse free pages nearer to the start of the file.
        for number in 0..<5 { try await store.write { try $0.put([:], for: Key(collection: "d", id: "\(number)")) } }
        await store.close()
        let long = try Data(contentsOf: dataFile)
        #expect(long.count > before + 300_000)
        try long.prefix(before + 20 * 4096).write(to: dataFile)
        store = try LMDBDataStore(path: subject.path)
        #expect(try store.read { try $0.records(in: Scan("c")).count } == 40)
        try await store.write { try $0.put(["data": .data(Array(repeating: 2, count: 400_000))], for: key) }
        #expect(try store.read { try $0.record(for: key)?["data"] } == .data(Array(repeating: 2, count: 400_000)))
        await store.close()
    }

    /// Writes records on leaves and on overflow pages.
    private func fill() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { transaction in
            for number in 0..<40 {
                let count = number.isMultiple(of: 8) ? 20_000 : 300
                try transaction.put(
                    ["data": .data(Array(repeating: UInt8(number), count: count))],
                    for: Key(collection: "c", id: "\(number)"))
            }
        }
        await store.close()
    }
}
