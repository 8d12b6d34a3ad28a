import DataStoreCore
import DataStoreLMDB
import Foundation
import TestScale
import Testing
import TortureKit

@testable import store_torture

/// Tests of several processes that share one store.
@Suite struct SharedStoreTests {
    private let subject: LMDBSubject

    init() throws { subject = try LMDBSubject() }

    @Test("Concurrent processes lose no increment")
    func increments() async throws {
        let (processCount, incrementCount) = (8, 1000)
        let tallies = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for process in 0..<processCount {
                group.addTask { [path = subject.path] in
                    let outcome = try await TortureProgram.run(["count", path, "\(process)", "\(incrementCount)"])
                    #expect(outcome.isDone, "\(outcome)")
                    return outcome.lines("tally").flatMap { $0.split(separator: " ").compactMap { Int64($0) } }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let store = try LMDBDataStore(path: subject.path)
        #expect(try await store.check().findings == [])
        for counter in 0..<CountCommand.counterCount {
            let expected = tallies.map { $0.count == CountCommand.counterCount ? $0[counter] : 0 }.reduce(0, +)
            #expect(expected > Int64(processCount * incrementCount / CountCommand.counterCount))
            #expect(
                try store.read { try $0.record(for: CountCommand.counter(counter)) } == ["count": .integer(expected)])
        }
        await store.close()
    }

    @Test("Every reference stays true while processes of two program versions save and delete records")
    func references() async throws {
        let findings = try await ReferenceRun(subject, count: TestScale.count(20, full: 1000)).findings()
        #expect(findings == [])
    }

    @Test("Several processes enlarge the file concurrently")
    func concurrentGrowth() async throws {
        let (names, blockCount) = (["a", "b", "c"], 40)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask { [path = subject.path] in
                    let outcome = try await TortureProgram.run(["grow", path, name, "\(blockCount)"])
                    #expect(outcome.isDone && outcome.lines("read").count == 1, "\(outcome)")
                }
            }
            try await group.waitForAll()
        }
        // A process that has read before sees the growth, too.
        let store = try LMDBDataStore(path: subject.path)
        let entries = try store.read { try $0.records(in: Scan(GrowCommand.collection)) }
        #expect(entries.count == names.count * blockCount)
        #expect(entries.allSatisfy { $0.record == GrowCommand.block($0.key.id) })
        let late = try await TortureProgram.run(["grow", subject.path, "late", "300"])
        #expect(late.isDone, "\(late)")
        let count = try store.read { try $0.records(in: Scan(GrowCommand.collection)).count }
        #expect(count == names.count * blockCount + 300)
        try await store.write { _ = try $0.removeAll(in: Scan(GrowCommand.collection)) }
        await store.close()
    }

    @Test(
        "Readers, checks and backups follow the growth by another process",
        arguments: ["statistics", "check", "backup"])
    func followedGrowth(_ look: String) async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await save(1, times: 1, in: store)
        let other = try await TortureProgram.run(["grow", subject.path, "other", "40"])
        #expect(other.isDone, "\(other)")
        switch look {
        case "statistics":
            let count = try store.statistics()?.recordCount
            #expect(count == 41)
        case "check":
            let findings = try await store.check().findings
            #expect(findings == [])
        default: try await store.backup(to: subject.directory.appending(path: "backup").path)
        }
        await store.close()
    }

    /// Pages that a killed reader held must become reusable.
    @Test("Pages that a killed reader held are reused")
    func killedReader() async throws {
        var store = try await filledStore()
        // While a process has the store open, no other process recreates its lock file.
        let other = try await TortureProgram.run(["hold", "store", subject.path]) { session in
            try await session.wait(for: "holding")
            try await holdAndKillReader(of: store)
            await store.close()
            store = try LMDBDataStore(path: subject.path)
            try await expectBoundedFile(store)
            try await session.endInput()
        }
        #expect(other.isDone, "\(other)")
        await store.close()
    }

    // The writer removes dead readers periodically. The number of saves is large enough for that.
    @Test("An open store reuses the pages that a killed reader held")
    func killedReaderOfOpenStore() async throws {
        let store = try await filledStore()
        try await holdAndKillReader(of: store)
        try await save(50, times: 200, in: store)
        try await expectBoundedFile(store)
        await store.close()
    }

    @Test("A reader sees its snapshot while other processes write")
    func snapshotOfReader() async throws {
        let store = try await filledStore()
        let reader = try await TortureProgram.run(["hold", "read", subject.path]) { session in
            try await session.wait(for: "holding")
            try await store.write { _ = try $0.removeAll(in: Scan("c")) }
            try await save(100, times: 20, in: store, collection: "d")
            try await session.endInput()
        }
        #expect(reader.isDone && reader.lines("read") == ["50"], "\(reader)")
        await store.close()
    }

    private func holdAndKillReader(of store: LMDBDataStore) async throws {
        let before = try fileSize()
        let reader = try await TortureProgram.run(["hold", "read", subject.path]) { session in
            try await session.wait(for: "holding")
            try await save(50, times: 20, in: store)
            session.kill()
        }
        #expect(reader.wasKilled, "\(reader)")
        #expect(try fileSize() > 5 * before, "the reader kept pages from being used again")
    }

    private func expectBoundedFile(_ store: LMDBDataStore) async throws {
        let before = try fileSize()
        try await save(50, times: 100, in: store)
        #expect(try fileSize() <= before)
        #expect(try store.read { try $0.records(in: Scan("c")).count } == 50)
    }

    private func filledStore() async throws -> LMDBDataStore {
        let store = try LMDBDataStore(path: subject.path)
        try await save(50, times: 3, in: store)
        return store
    }

    /// Saves records of about one page repeatedly, each in its own transaction.
    private func save(_ count: Int, times: Int, in store: LMDBDataStore, collection: String = "c") async throws {
        for time in 0..<times {
            try await store.write { transaction in
                for number in 0..<count {
                    let data = Value.data(Array(repeating: UInt8(time), count: 3000))
                    try transaction.put(["data": data], for: Key(collection: collection, id: "\(number)"))
                }
            }
        }
    }

    private func fileSize() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: "\(subject.path)/data.mdb")[.size] as? Int ?? 0
    }
}
