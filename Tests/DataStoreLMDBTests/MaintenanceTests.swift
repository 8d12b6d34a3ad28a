import DataStoreCore
import DataStoreLMDB
import Foundation
import Synchronization
import Testing

/// Tests of the maintenance operations of a store, and its reports.
@Suite struct MaintenanceTests {
    private let subject: LMDBSubject
    private let key: Key

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "id")
    }

    @Test("Statistics describe the data file")
    func statistics() async throws {
        let store = try LMDBDataStore(path: subject.path)
        #expect(try store.statistics() == nil)
        for number in 0..<10 {
            try await store.write { transaction in
                try transaction.put(
                    ["data": .data(Array(repeating: 1, count: 20_000))], for: Key(collection: "c", id: "\(number)"))
            }
        }
        let full = try #require(try store.statistics())
        #expect(full.recordCount == 10)
        #expect(full.byteCount > 200_000 && full.mapByteCount > full.byteCount)
        #expect(full.pageByteCount * full.pageCount >= 200_000)
        #expect(full.readCount == 0 && full.oldestReadTransaction == nil)
        #expect(try full.lastTransaction == store.generation())
        try await store.write { _ = try $0.removeAll(in: Scan("c")) }
        let (empty, during) = try store.read { _ in (try store.statistics(), try store.statistics()?.readCount) }
        #expect(empty?.recordCount == 0 && empty?.lastTransaction == full.lastTransaction + 1)
        #expect(try #require(empty?.freePageCount) >= 50)
        #expect(during == 1 && empty?.oldestReadTransaction == empty?.lastTransaction)
        await store.close()
    }

    @Test("The size of a large collection is estimated from a sample of its pages", arguments: [300, 30_000])
    func sizes(_ count: Int) async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { transaction in
            for number in 0..<count {
                // The records have different sizes, and the collection lies between two others.
                let data = Array(repeating: UInt8(1), count: number % 97)
                try transaction.put(["data": .data(data)], for: Key(collection: "b", id: "\(number)"))
                if number.isMultiple(of: 100) {
                    for name in ["a", "ba"] { try transaction.put([:], for: Key(collection: name, id: "\(number)")) }
                }
            }
        }
        try store.read { transaction in
            let size = try #require(try transaction.estimatedCount(of: "b"))
            #expect(size.isExact == (count < 10_000))
            #expect(size.isExact ? size.number == count : abs(size.number - count) < count / 20)
            for name in ["a", "ba"] {
                #expect(try #require(try transaction.estimatedCount(of: name)) == (count / 100, true))
            }
        }
        await store.close()
    }

    @Test("A store that is opened later also reports long reads")
    func longReadsForLaterStores() async throws {
        let first = try LMDBDataStore(path: subject.path)
        try await first.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        // By now the thread sleeps and has nothing to monitor.
        try await Task.sleep(for: .milliseconds(100))
        let isReported = DispatchSemaphore(value: 0)
        let second = try LMDBDataStore(
            path: subject.path,
            options: .init(longReadThreshold: .milliseconds(20)) { event in
                if case .longRead = event { isReported.signal() }
            })
        let wasReported = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try second.read { _ in isReported.wait(timeout: .now() + 10) == .success } })
            }
        }
        #expect(wasReported)
        await first.close()
        await second.close()
    }

    @Test("A backup is a snapshot of the store")
    func backup() async throws {
        let store = try LMDBDataStore(path: subject.path)
        let target = subject.directory.appending(path: "backups/one").path
        await #expect { try await store.backup(to: target) } throws: { ($0 as? DataStoreError)?.code == .noStore }
        // Writes two records that are always equal, and writes and removes others, so that the store has free pages.
        @Sendable func put(_ number: Int64) async throws {
            try await store.write { transaction in
                for id in ["a", "b"] {
                    try transaction.put(["n": .integer(number)], for: Key(collection: "c", id: id))
                }
                let filler = try Key(collection: "filler", id: "\(number)")
                try transaction.put(["data": .data(Array(repeating: 1, count: 30_000))], for: filler)
                try transaction.remove(Key(collection: "filler", id: "\(number - 3)"))
            }
        }
        for number in 0..<20 { try await put(Int64(number)) }
        let isDone = Mutex(false)
        async let writing: Void = {
            var number: Int64 = 20
            while !isDone.withLock(\.self) {
                try await put(number)
                number += 1
            }
        }()
        try await store.backup(to: target)
        isDone.withLock { $0 = true }
        try await writing

        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: target) == ["data.mdb"])
        #expect(try files.contentsOfDirectory(atPath: subject.directory.appending(path: "backups").path) == ["one"])
        #expect(try mode("\(target)/data.mdb") == 0o600 && mode(target) == 0o700)
        let backup = try LMDBDataStore(path: target)
        let numbers = try backup.read { try $0.records(in: Scan("c")).map { $0.record["n"] } }
        #expect(numbers.count == 2 && numbers[0] == numbers[1])
        #expect(try backup.read { try $0.records(in: Scan("filler")).count } == 3)
        let (copied, original) = (try backup.statistics(), try store.statistics())
        #expect(copied?.freePageCount == 0)
        #expect(try #require(copied?.byteCount) < #require(original?.byteCount))
        // The copy is an independent store.
        try await backup.write { [key] in try $0.put([:], for: key) }
        #expect(try store.read { try $0.record(for: key) } == nil)
        await backup.close()

        await #expect { try await store.backup(to: target) } throws: { ($0 as? DataStoreError)?.code == .notAStore }
        #expect(try files.contentsOfDirectory(atPath: subject.directory.appending(path: "backups").path) == ["one"])
        await store.close()
        await #expect { try await store.backup(to: target) } throws: { ($0 as? DataStoreError)?.code == .closed }
    }

    @Test(
        "The remains of interrupted backups are removed",
        arguments: [(".copy", "0000000000004"), (".copy", nil), (".older", "0000000000004")])
    func interruptedBackup(_ name: String, _ number: String?) async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        let unfinished = subject.directory.appending(path: "\(name).unfinished-0000000000001")
        try FileManager.default.createDirectory(at: unfinished, withIntermediateDirectories: false)
        if let number {
            try Data("half".utf8).write(to: unfinished.appending(path: ".data.mdb.unfinished-\(number)"))
        }
        // What cannot be opened is left as it is.
        let odd = subject.directory.appending(path: ".odd.unfinished-0000000000003")
        try FileManager.default.createDirectory(at: odd, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: odd.appending(path: ".data.mdb.unfinished-0000000000004").path, withDestinationPath: "/dev/null")
        // A backup with another name may be starting.
        let starting = subject.directory.appending(path: ".older.unfinished-0000000000002")
        try FileManager.default.createDirectory(at: starting, withIntermediateDirectories: false)
        let target = subject.directory.appending(path: "copy").path
        try await store.backup(to: target)
        #expect(!FileManager.default.fileExists(atPath: unfinished.path))
        #expect(FileManager.default.fileExists(atPath: starting.path))
        let copy = try LMDBDataStore(path: target)
        #expect(try copy.read { try $0.record(for: key) } == Record())
        await copy.close()
        await store.close()
    }

    @Test("A long read is reported")
    func longRead() async throws {
        let ages = Mutex<[Duration]>([])
        let (reports, reporting) = AsyncStream.makeStream(of: Void.self)
        let store = try LMDBDataStore(
            path: subject.path,
            options: .init(longReadThreshold: .milliseconds(20)) { event in
                guard case .longRead(let age) = event else { return }
                ages.withLock { $0.append(age) }
                reporting.yield()
            })
        try await store.write { [key] in try $0.put([:], for: key) }
        let mayEnd = DispatchSemaphore(value: 0)
        async let read: Void = withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try store.read { _ in mayEnd.wait() } })
            }
        }
        var count = 0
        for await _ in reports {
            count += 1
            if count == 3 { break }
        }
        mayEnd.signal()
        try await read
        // A read is reported at the threshold and then each time its age has doubled.
        let reported = ages.withLock(\.self)
        #expect(reported[0] >= .milliseconds(20) && reported[1] >= reported[0] * 2 && reported[2] >= reported[1] * 2)
        await store.close()
    }

    @Test("Saves with relaxed durability are on disk after closing")
    func relaxedDurability() async throws {
        for number in 0..<20 {
            let store = try LMDBDataStore(path: subject.path, options: .init(durability: .consistent))
            try await store.write { try $0.put([:], for: Key(collection: "c", id: "\(number)")) }
            #expect(try store.read { try $0.records(in: Scan("c")).count } == number + 1)
            await store.close()
        }
    }

    @Test("Replaced files are detected before a save", arguments: ["data.mdb", "lock.mdb"])
    func replacedFiles(_ file: String) async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let path = "\(subject.path)/\(file)"
        let copy = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        await #expect {
            try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        } throws: { ($0 as? DataStoreError)?.code == .inputOutput && "\($0)".contains("replaced or removed") }
        try copy.write(to: URL(filePath: path))
        await #expect(throws: DataStoreError.self) {
            try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        }
        await store.close()
        let again = try LMDBDataStore(path: subject.path)
        try await again.write { [key] in try $0.put(["n": .integer(3)], for: key) }
        #expect(try again.read { try $0.record(for: key) } == ["n": .integer(3)])
        await again.close()
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
