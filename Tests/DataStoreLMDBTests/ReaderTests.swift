import DataStoreCore
import DataStoreLMDB
import Foundation
import Synchronization
import Testing

/// Tests of concurrent reads.
@Suite struct ReaderTests {
    private let subject: LMDBSubject
    private let key: Key

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "id")
    }

    @Test("Reads on many threads see snapshots")
    func threads() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(0)], for: key) }
        let (threads, mayEnd) = (100, DispatchSemaphore(value: 0))
        let values = try await withThrowingTaskGroup(of: Value?.self) { group in
            let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<threads {
                group.addTask { [key] in
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(
                                with: Result {
                                    try store.read { transaction in
                                        beginning.yield()
                                        mayEnd.wait()
                                        return try transaction.record(for: key)?["n"]
                                    }
                                })
                        }
                    }
                }
            }
            defer { for _ in 0..<threads { mayEnd.signal() } }
            var count = 0
            for await _ in begun {
                count += 1
                if count == threads { break }
            }
            let readCount = try store.statistics()?.readCount
            #expect(readCount == threads, "all are under way at once")
            // A save during the reads is not in their snapshots.
            try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
            for _ in 0..<threads { mayEnd.signal() }
            return try await group.reduce(into: Set<Value?>()) { $0.insert($1) }
        }
        #expect(values == [.integer(0)])
        #expect(try store.read { try $0.record(for: key)?["n"] } == .integer(1))
        await store.close()
    }

    @Test("More reads than the lock file has slots are rejected")
    func tooManyReads() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        // Each read is nested in the previous one, on a thread with a large enough stack.
        @Sendable func nest(_ depth: Int) throws -> Int {
            do {
                return try store.read { transaction in
                    _ = try transaction.record(for: key)
                    return try nest(depth + 1)
                }
            } catch let error as DataStoreError where error.code == .full {
                return depth
            }
        }
        let depth = try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try nest(0) }) }
            thread.stackSize = 64 << 20
            thread.start()
        }
        #expect(depth == 1024)
        #expect(try store.statistics()?.readCount == 0)
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(1)])
        await store.close()
    }

    @Test("A read within a write sees the committed state")
    func readWithinWrite() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let values = try await store.write { [key] transaction in
            try transaction.put(["n": .integer(2)], for: key)
            return [try store.read { try $0.record(for: key)?["n"] }, try transaction.record(for: key)?["n"]]
        }
        #expect(values == [.integer(1), .integer(2)])
        await store.close()
    }

    @Test("Closures that throw after a change affect no other write")
    func throwingClosures() async throws {
        struct WriteFailure: Error, Equatable { let number: Int }
        let store = try LMDBDataStore(path: subject.path)
        let count = 600
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { [key] in
                    do {
                        try await store.write { transaction in
                            let old = try transaction.record(for: key)?["n"]
                            guard case .integer(let sum) = old ?? .integer(0) else { return }
                            try transaction.put(["n": .integer(sum + 1)], for: key)
                            try transaction.put([:], for: Key(collection: "own", id: "\(number)"))
                            if number.isMultiple(of: 2) { throw WriteFailure(number: number) }
                        }
                        #expect(!number.isMultiple(of: 2))
                    } catch let error as WriteFailure {
                        #expect(error.number == number && number.isMultiple(of: 2))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.read { try $0.record(for: key) } == ["n": .integer(Int64(count / 2))])
        let ids = try store.read { try $0.records(in: Scan("own")).compactMap { Int($0.key.id) } }
        #expect(ids.sorted() == (0..<count).filter { !$0.isMultiple(of: 2) })
        await store.close()
    }
}
