import CDataStoreSystem
import DataStoreCore
import DataStoreLMDB
import Foundation
import Testing
import TortureKit

/// Tests of locks of a store that another process holds and does not release.
@Suite struct BoundedWaitTests {
    private let subject: LMDBSubject
    private let key: Key
    private let options = LMDBDataStore.Options(lockTimeout: .milliseconds(300))

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "a")
    }

    @Test(
        "A lock on the directory, which every user with read permission can hold, delays nothing",
        .timeLimit(.minutes(10)))
    func lockOnDirectory() async throws {
        try FileManager.default.createDirectory(atPath: subject.path, withIntermediateDirectories: false)
        let directory = unsafe open(subject.path, O_RDONLY)
        defer { close(directory) }
        #expect(flock(directory, LOCK_SH) == 0)
        let store = try LMDBDataStore(path: subject.path, options: options)
        try await store.write { [key] in try $0.put([:], for: key) }
        await store.close()
    }

    @Test("If a process stops within a write, others fail with busy, and failed writes never run")
    func stoppedWriter() async throws {
        let store = try LMDBDataStore(path: subject.path, options: options)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let outcome = try await TortureProgram.run(["hold", "write", subject.path]) { session in
            try await session.wait(for: "holding")
            let error = await #expect(throws: DataStoreError.self) {
                try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
            }
            #expect(error?.code == .busy)
            // Reads continue.
            #expect(try store.read { try $0.record(for: key) } == ["n": .integer(1)])
            try await session.endInput()
        }
        #expect(outcome.isDone, "\(outcome)")
        try await store.write { [key] in try $0.put([:], for: Key(collection: key.collection, id: "b")) }
        let records = try store.read { try $0.records(in: Scan("c")) }
        #expect(records.map(\.key.id) == ["a", "b", "held"] && records[0].record == ["n": .integer(1)])
        await store.close()
    }

    @Test("A write that waits for a closure of this process fails with busy in time, as it does for other processes")
    func blockedWriter() async throws {
        let store = try LMDBDataStore(path: subject.path, options: options)
        try await store.write { [key] in try $0.put([:], for: key) }
        let mayEnd = DispatchSemaphore(value: 0)
        let blocking = Task {
            try await store.write { [key] in
                mayEnd.wait()
                try $0.put(["n": .integer(1)], for: key)
            }
        }
        // The first of these writes may arrive before the blocking one.
        for _ in 0..<2 {
            await Task.yield()
            _ = await Task { try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) } }.result
        }
        let error = await #expect(throws: DataStoreError.self) {
            try await store.write { [key] in try $0.put(["n": .integer(3)], for: key) }
        }
        #expect(error?.code == .busy)
        mayEnd.signal()
        try await blocking.value
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(1)])
        await store.close()
    }

    /// An observer runs code of the program, as a resumed caller does, and that code may block.
    @Test("While an observer of a commit blocks, other processes write")
    func blockedObserver() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let (notified, notification) = AsyncStream.makeStream(of: Void.self)
        let mayContinue = DispatchSemaphore(value: 0)
        let observation = try await store.observe(.collection("c")) { _ in
            notification.yield()
            mayContinue.wait()
            mayContinue.signal()
        }
        async let saved: Void = store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        for await _ in notified { break }
        let other = try await TortureProgram.run(["count", subject.path, "0", "1"])
        mayContinue.signal()
        #expect(other.isDone, "\(other)")
        try await saved
        withExtendedLifetime(observation) {}
        await store.close()
    }

    @Test("A killed writer leaves no lock behind")
    func killedWriter() async throws {
        let store = try LMDBDataStore(path: subject.path, options: options)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let outcome = try await TortureProgram.run(["hold", "write", subject.path]) { session in
            try await session.wait(for: "holding")
            session.kill()
        }
        #expect(outcome.wasKilled)
        try await store.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        #expect(try store.read { try $0.records(in: Scan("c")).map(\.record) } == [["n": .integer(2)]])
        await store.close()
    }

    @Test("While one store waits for another process, other stores open and the process forks")
    func waitingAlone() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        await store.close()
        // Holds the lock like a process that was stopped while it opened the store.
        let data = unsafe open("\(subject.path)/data.mdb", O_RDWR)
        defer { close(data) }
        #expect(up_lock(data, 1 << 62, 1) == 0)
        let outcome = try await TortureProgram.run(
            ["open", subject.path, subject.directory.appending(path: "other").path])
        #expect(outcome.lines == ["other", "forked", "busy busy"], "\(outcome)")
    }
}
