import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation
import Synchronization
import Testing

@Suite struct LMDBDataStoreTests {
    private let key: Key

    init() throws { key = try Key(collection: "c", id: "id") }

    @Test(
        "The store fulfills the contract",
        arguments: DataStoreConformance.persistent + DataStoreConformance.scopedNotification
            + DataStoreConformance.writeQueueCases)
    func contract(_ requirement: DataStoreConformance) async throws {
        try await requirement.check { try LMDBSubject() }
    }

    @Test("Opening creates nothing, and new files are private to their owner")
    func permissions() async throws {
        let subject = try LMDBSubject()
        let path = subject.directory.appending(path: "new/er/store").path
        let store = try LMDBDataStore(path: path)
        #expect(try store.read { try $0.record(for: key) } == nil)
        #expect(!FileManager.default.fileExists(atPath: subject.directory.appending(path: "new").path), "not yet")
        try await store.write { [key] in try $0.put([:], for: key) }
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(subject.directory.appending(path: "new").path) == 0o700)
        #expect(try mode(path) == 0o700)
        #expect(try mode("\(path)/data.mdb") == 0o600)
        #expect(try mode("\(path)/lock.mdb") == 0o600)
        await store.close()
    }

    @Test("A path that is not a store is rejected and left unchanged")
    func notAStore() async throws {
        let subject = try LMDBSubject()
        let file = subject.directory.appending(path: "file")
        try Data("text".utf8).write(to: file)
        #expect(code { try LMDBDataStore(path: file.path) } == .notAStore)

        let directory = subject.directory.appending(path: "directory")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        let garbage = Data("no LMDB file, but long enough to have the head of one".utf8)
        try garbage.write(to: directory.appending(path: "data.mdb"))
        #expect(code { try LMDBDataStore(path: directory.path) } == .notAStore)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["data.mdb"])
        #expect(try Data(contentsOf: directory.appending(path: "data.mdb")) == garbage)

        #expect(code { try LMDBDataStore(path: "\(file.path)/below") } == .inputOutput)
        #expect(try Data(contentsOf: file) == Data("text".utf8))
    }

    @Test("The environment of another program is rejected and left unchanged")
    func foreignEnvironment() async throws {
        let subject = try LMDBSubject()
        try FileManager.default.createDirectory(atPath: subject.path, withIntermediateDirectories: false)
        try PlainLMDB(subject.path).put(Array("theirs".utf8), for: Array("key".utf8))
        let before = try await subject.snapshot()
        #expect(code { try LMDBDataStore(path: subject.path) } == .notAStore)
        #expect(try await subject.snapshot() == before)
    }

    @Test("All stores of a file share an environment")
    func sharedEnvironment() async throws {
        let subject = try LMDBSubject()
        let first = try LMDBDataStore(path: subject.path)
        let link = subject.directory.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: subject.path)
        let second = try LMDBDataStore(path: link)
        try await first.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        // If the process had two environments of one file, closing one would release the lock of the other.
        await first.close()
        try await second.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        #expect(try second.read { try $0.record(for: key) } == ["n": .integer(2)])
        await second.close()
    }

    @Test("The closure of a large first write runs to its end once")
    func largeFirstWrite() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path)
        let endCount = Atomic(0)
        let keys = try (1000..<3000).map { try Key(collection: "c", id: "\($0)") }
        try await store.write { transaction in
            for key in keys { try transaction.put([:], for: key) }
            endCount.add(1, ordering: .relaxed)
        }
        #expect(endCount.load(ordering: .relaxed) == 1)
        #expect(try store.read { try $0.records(in: Scan("c")).map(\.key) } == keys)
        await store.close()
    }

    @Test("A first write that changes nothing or fails creates no file")
    func removalOfNothing() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path)
        let existed = try await store.write { [key] in try $0.remove(key) }
        #expect(!existed)
        await #expect(throws: CancellationError.self) {
            try await store.write { [key] transaction in
                try transaction.put([:], for: key)
                throw CancellationError()
            }
        }
        #expect(!FileManager.default.fileExists(atPath: subject.path))
        await store.close()
    }

    @Test("Closing waits for a pending read")
    func closing() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        async let closed: Void = {
            for await _ in begun { break }
            await store.close()
        }()
        // The closure blocks its thread until the store rejects other calls, so it needs a thread of its own.
        let records = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [key] in
                continuation.resume(
                    with: Result {
                        try store.read { transaction in
                            beginning.yield()
                            while (try? store.read { _ in true }) == true {}
                            return try (0..<1000).map { _ in try transaction.record(for: key) }
                        }
                    })
            }
        }
        #expect(Set(records) == [["n": .integer(1)]])
        await closed
    }

    @Test("A partially created store is clean, and is created again", arguments: [0, 4096])
    func halfCreatedStore(_ byteCount: Int) async throws {
        // The first page of an environment without commits.
        let other = try LMDBSubject()
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: false)
        #expect(try PlainLMDB(other.path).get([1]) == nil)
        let page = try Data(contentsOf: URL(filePath: "\(other.path)/data.mdb")).prefix(byteCount)
        let subject = try LMDBSubject()
        try FileManager.default.createDirectory(atPath: subject.path, withIntermediateDirectories: false)
        try page.write(to: URL(filePath: "\(subject.path)/data.mdb"))
        try page.write(to: URL(filePath: "\(subject.path)/.data.mdb.creating-0000000000001"))
        let report = try await LMDBDataStore.check(subject.path)
        #expect(report.isClean && report.recordCount == 0)
        let store = try LMDBDataStore(path: subject.path)
        #expect(try store.read { try $0.record(for: key) } == nil)
        try await store.write { [key] in try $0.put([:], for: key) }
        #expect(try store.read { try $0.record(for: key) } == Record())
        let names = try FileManager.default.contentsOfDirectory(atPath: subject.path)
        #expect(names.sorted() == ["data.mdb", "lock.mdb"])
        await store.close()
    }

    @Test("A lock file whose first sector is lost does not matter")
    func lostSectorOfLockFile() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        await store.close()
        let file = URL(filePath: "\(subject.path)/lock.mdb")
        let count = try Data(contentsOf: file).count
        try (Data(count: 512) + Data(repeating: 1, count: count - 512)).write(to: file)
        let again = try LMDBDataStore(path: subject.path)
        #expect(try again.read { try $0.record(for: key) } == Record())
        await again.close()
    }

    @Test("A store that another process creates is detected")
    func storeOfAnotherProcess() async throws {
        let subject = try LMDBSubject()
        let (reader, writer) = (try LMDBDataStore(path: subject.path), try LMDBDataStore(path: subject.path))
        #expect(try reader.read { try $0.record(for: key) } == nil)
        try await writer.write { [key] in try $0.put([:], for: key) }
        #expect(try reader.read { try $0.record(for: key) } == Record())
        await reader.close()
        await writer.close()
    }

    @Test("Stores open and close concurrently")
    func concurrentOpening() async throws {
        let subject = try LMDBSubject()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { [key] in
                    for _ in 0..<20 {
                        let store = try LMDBDataStore(path: subject.path)
                        try await store.write { transaction in
                            let count = try transaction.record(for: key)?["n"] ?? .integer(0)
                            guard case .integer(let number) = count else { return }
                            try transaction.put(["n": .integer(number + 1)], for: key)
                        }
                        // Half of the stores are closed, the other half are deinitialized without closing.
                        if task.isMultiple(of: 2) { await store.close() }
                    }
                }
            }
            try await group.waitForAll()
        }
        let store = try LMDBDataStore(path: subject.path)
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(160)])
        await store.close()
    }

    @Test("A save to a full store fails and leaves the records")
    func fullStore() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path, options: .init(maximumByteCount: 1 << 20))
        let block = Value.data(Array(repeating: 7, count: 100_000))
        var count = 0
        var failure: DataStoreError?
        while failure == nil {
            do {
                let next = try Key(collection: "c", id: "\(count)")
                try await store.write { try $0.put(["data": block], for: next) }
                count += 1
            } catch {
                failure = error as? DataStoreError
            }
        }
        #expect(failure?.code == .full)
        #expect(count > 2)
        #expect(try store.read { try $0.records(in: Scan("c")).count } == count)
        // Removing a record makes room again.
        try await store.write { _ = try $0.remove(Key(collection: "c", id: "0")) }
        try await store.write { try $0.put(["data": .bool(true)], for: Key(collection: "c", id: "small")) }
        await store.close()
    }

    @Test("A write fails if its closure ignores an error of the store")
    func swallowedError() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path, options: .init(maximumByteCount: 1 << 20))
        await #expect {
            try await store.write { [key] transaction in
                try transaction.put(["data": .bool(true)], for: key)
                do {
                    try transaction.put(["data": .data(Array(repeating: 7, count: 2 << 20))], for: key)
                } catch {}
            }
        } throws: { ($0 as? DataStoreError)?.code == .full }
        #expect(try store.read { try $0.record(for: key) } == nil)
        await store.close()
    }

    @Test("Reads nest and run concurrently")
    func nestedReads() async throws {
        let subject = try LMDBSubject()
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let inner = try store.read { outer in
            let first = try outer.record(for: key)
            let second = try store.read { try $0.record(for: key) }
            return first == second
        }
        #expect(inner)
        await store.close()
    }

    private func code(_ body: () throws -> LMDBDataStore) -> DataStoreError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? DataStoreError)?.code
        }
    }
}
