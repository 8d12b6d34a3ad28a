import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation
import Testing
import TestScale

/// Tests that a check finds no damage in an intact store, whatever was written to it.
@Suite struct CleanStoreTests {
    private let subject: LMDBSubject

    init() throws { subject = try LMDBSubject() }

    @Test("Checking a missing store is an error, and an open store without files is clean")
    func missingStore() async throws {
        await #expect {
            try await LMDBDataStore.check(subject.path)
        } throws: { ($0 as? DataStoreError)?.code == .noStore }
        let store = try LMDBDataStore(path: subject.path)
        let report = try await store.check()
        #expect(report.isClean && report.recordCount == 0)
        await store.close()
        await #expect { try await store.check() } throws: { ($0 as? DataStoreError)?.code == .closed }
        #expect(!FileManager.default.fileExists(atPath: subject.path))
    }

    @Test("Checking the environment of another program is an error")
    func foreignEnvironment() async throws {
        try FileManager.default.createDirectory(atPath: subject.path, withIntermediateDirectories: false)
        try PlainLMDB(subject.path).put(Array("theirs".utf8), for: Array("key".utf8))
        await #expect {
            try await LMDBDataStore.check(subject.path)
        } throws: { ($0 as? DataStoreError)?.code == .notAStore }
    }

    @Test("A new store is clean")
    func newStore() async throws {
        let store = try LMDBDataStore(path: subject.path)
        let key = try Key(collection: "c", id: "id")
        try await store.write { try $0.put([:], for: key) }
        #expect(try await store.check().recordCount == 1)
        try await store.write { _ = try $0.remove(key) }
        #expect(try await store.check().recordCount == 0)
        await store.close()
        try await expectClean(recordCount: 0)
    }

    /// Random writes with intermittent readers, so that the free list grows and shrinks.
    @Test(
        "Random writes leave a clean store",
        arguments: [
            StoreShape(keyCount: 40, largestValue: 200), StoreShape(keyCount: 400, largestValue: 60),
            StoreShape(keyCount: 400, largestValue: 1500), StoreShape(keyCount: 100, largestValue: 50_000),
            StoreShape(keyCount: 1500, largestValue: 4, keyLength: 470),
        ])
    func randomWrites(_ shape: StoreShape) async throws {
        var generator = SeededGenerator()
        var expected: [Key: Record] = [:]
        let store = try LMDBDataStore(path: subject.path)
        for round in 0..<TestScale.count(4, full: 12) {
            // A check holds a snapshot.
            async let report = round.isMultiple(of: 3) ? store.check() : nil
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let changes = try shape.changes(using: &generator)
                try await store.write { transaction in
                    for (key, record) in changes {
                        if let record { try transaction.put(record, for: key) } else { _ = try transaction.remove(key) }
                    }
                }
                for (key, record) in changes { expected[key] = record }
            }
            if let report = try await report { #expect(report.findings == [], "seed \(generator.seed)") }
            let after = try await store.check()
            #expect(after.findings == [], "seed \(generator.seed), round \(round)")
            #expect(after.recordCount == expected.count, "seed \(generator.seed), round \(round)")
        }
        await store.close()
        try await expectClean(recordCount: expected.count)
    }

    @Test("A store is clean while it is written to")
    func concurrentWrites() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { try $0.put(["n": .integer(0)], for: Key(collection: "c", id: "0")) }
        let writing = Task {
            var number: Int64 = 0
            while !Task.isCancelled {
                number += 1
                let size = Int(number % 50 * 200)
                try await store.write { [number] transaction in
                    let key = try Key(collection: "c", id: "\(number % 40)")
                    try transaction.put(["data": .data(Array(repeating: 7, count: size))], for: key)
                }
            }
        }
        for round in 0..<40 {
            // Checks through the open store, and on its path as another program would.
            let report = try await round.isMultiple(of: 2) ? store.check() : LMDBDataStore.check(subject.path)
            #expect(report.findings == [])
        }
        writing.cancel()
        do { try await writing.value } catch is CancellationError {}
        await store.close()
    }

    @Test("A data file without a lock file is checked, and no file is created")
    func dataFileAlone() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { try $0.put(["n": .integer(0)], for: Key(collection: "c", id: "0")) }
        await store.close()
        try FileManager.default.removeItem(atPath: "\(subject.path)/lock.mdb")
        for path in [subject.path, "\(subject.path)/data.mdb"] {
            let report = try await LMDBDataStore.check(path)
            #expect(report.isClean && report.recordCount == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: subject.path) == ["data.mdb"])
    }

    @Test("A cancelled check ends")
    func cancelledCheck() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { try $0.put(["n": .integer(0)], for: Key(collection: "c", id: "0")) }
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let checking = Task {
            for await _ in begun { break }
            _ = try await store.check()
        }
        checking.cancel()
        beginning.yield()
        await #expect(throws: CancellationError.self) { try await checking.value }
        await store.close()
    }

    private func expectClean(recordCount: Int) async throws {
        let report = try await LMDBDataStore.check(subject.path)
        #expect(report.findings == [])
        #expect(report.recordCount == recordCount)
    }
}
