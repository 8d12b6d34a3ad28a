import DataStoreCore
import DataStoreLMDB
import Foundation
import Synchronization
import Testing
import TortureKit

/// Tests of two stores of a process that share one file.
@Suite struct TwoStoresTests {
    private let subject: LMDBSubject
    private let key: Key

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "id")
    }

    @Test("A read of one store within a read of the other one succeeds")
    func nestedStores() async throws {
        let first = try LMDBDataStore(path: subject.path)
        try await first.write { [key] in try $0.put(["n": .integer(1)], for: key) }
        let second = try LMDBDataStore(path: subject.path)
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
        try await first.write { [key] in try $0.put(["n": .integer(2)], for: key) }
        mayGoOn.signal()
        #expect(try await record == ["n": .integer(2)])
        await first.close()
        await second.close()
    }

    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
