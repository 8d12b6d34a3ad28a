import DataStoreCore
import DataStoreLMDB
import Foundation
import Synchronization
import Testing
import TortureKit

/// Tests of two stores of a process that share one file and therefore one memory map.
@Suite struct TwoStoresTests {
    private let subject: LMDBSubject
    private let key: Key
    private let options = LMDBDataStore.Options(initialMapByteCount: 1 << 20)

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "id")
    }

    @Test("The first read of a store waits while the map grows")
    func firstRead() async throws {
        let first = try LMDBDataStore(path: subject.path, options: options)
        // Created before the file exists. It opens the file at its first read.
        let second = try LMDBDataStore(path: subject.path, options: options)
        let old = Record(dictionaryLiteral: ("data", .data(Array(repeating: 1, count: 2000))))
        try await first.write { [key] in try $0.put(old, for: key) }
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (mayEnd, isSaved) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let firstRead: Record? = onThread { [key] in
            try first.read { transaction in
                beginning.yield()
                mayEnd.wait()
                return try transaction.record(for: key)
            }
        }
        for await _ in begun { break }
        async let save: Void = {
            try await first.write { try $0.put(TwoStoresTests.large, for: Key(collection: "c", id: "large")) }
            isSaved.signal()
        }()
        try await Task.sleep(for: .milliseconds(200))
        async let secondRead: Record? = onThread { [key] in
            try second.read { transaction in
                // If the map moved now, the view would refer to unmapped memory.
                try transaction.withView(of: key) { view in
                    _ = isSaved.wait(timeout: .now() + 1)
                    return try view.record()
                }
            }
        }
        try await Task.sleep(for: .milliseconds(200))
        mayEnd.signal()
        #expect(try await firstRead == old)
        #expect(try await secondRead == old)
        try await save
        await first.close()
        await second.close()
    }

    @Test("A read of one store within a read of the other one succeeds")
    func nestedStores() async throws {
        let first = try LMDBDataStore(path: subject.path, options: options)
        try await first.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let second = try LMDBDataStore(path: subject.path, options: options)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let mayGoOn = DispatchSemaphore(value: 0)
        async let record: Record? = onThread { [key] in
            try first.read { _ in
                beginning.yield()
                mayGoOn.wait()
                return try second.read { try $0.record(for: key) }
            }
        }
        for await _ in begun { break }
        async let save: Void = first.write {
            try $0.put(TwoStoresTests.large, for: Key(collection: "c", id: "large"))
        }
        // By now the save waits for the outer read.
        try await Task.sleep(for: .milliseconds(200))
        mayGoOn.signal()
        #expect(try await record == ["n": .integer(1)])
        try await save
        await first.close()
        await second.close()
    }

    /// If another process has grown the data, the map cannot be grown during a read of the same thread.
    @Test("A nested read is rejected if it would move the map")
    func movedMap() async throws {
        let first = try LMDBDataStore(path: subject.path, options: options)
        try await first.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let second = try LMDBDataStore(path: subject.path, options: options)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let mayGoOn = DispatchSemaphore(value: 0)
        async let code: DataStoreError.Code? = onThread { [key] in
            try first.read { _ in
                beginning.yield()
                mayGoOn.wait()
                do {
                    _ = try second.read { try $0.record(for: key) }
                    return nil
                } catch let error as DataStoreError {
                    return error.code
                }
            }
        }
        for await _ in begun { break }
        let other = try await TortureProgram.run(["grow", subject.path, "other", "40"])
        mayGoOn.signal()
        #expect(other.isDone, "\(other)")
        #expect(try await code == .busy)
        let afterwards = try second.read { try $0.record(for: key) }
        #expect(afterwards == ["n": .integer(1)])
        await first.close()
        await second.close()
    }

    /// A record that is larger than the map.
    private static let large: Record = ["data": .data(Array(repeating: 2, count: 3 << 20))]

    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
