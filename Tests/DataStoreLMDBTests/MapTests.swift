import DataStoreCore
import DataStoreLMDB
import Foundation
import Synchronization
import Testing

/// Tests that the memory map grows with the data.
@Suite struct MapTests {
    private let subject: LMDBSubject
    private static let mebibyte = 1 << 20

    init() throws { subject = try LMDBSubject() }

    @Test("The map grows during reads and writes")
    func growth() async throws {
        let sizes = Mutex<[Int]>([])
        let store = try LMDBDataStore(
            path: subject.path,
            options: .init(initialMapByteCount: MapTests.mebibyte) { event in
                if case .mapGrew(let byteCount) = event { sizes.withLock { $0.append(byteCount) } }
            })
        let (count, block) = (64, 100_000)
        try await store.write { try $0.put(["n": .integer(0)], for: MapTests.key("count")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...count {
                    try await store.write { transaction in
                        try transaction.put(
                            ["data": .data(Array(repeating: UInt8(number), count: block))],
                            for: MapTests.key("block-\(number)"))
                        try transaction.put(["n": .integer(Int64(number))], for: MapTests.key("count"))
                    }
                }
            }
            group.addTask {
                while true {
                    // Every block that is counted exists and is complete while the map moves.
                    let number = try store.read { transaction -> Int64 in
                        guard case .integer(let number) = try transaction.record(for: MapTests.key("count"))?["n"]
                        else { return 0 }
                        if number > 0 {
                            let data = try transaction.record(for: MapTests.key("block-\(number)"))?["data"]
                            #expect(data == .data(Array(repeating: UInt8(number), count: block)))
                        }
                        return number
                    }
                    if number == count { break }
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
        let grown = sizes.withLock(\.self)
        #expect(grown.first == 2 * MapTests.mebibyte && grown == grown.sorted() && grown.count >= 3)
        let statistics = try #require(try store.statistics())
        #expect(statistics.mapByteCount == grown.last)
        await store.close()

        // A program that opens the store later need not know the size.
        let again = try LMDBDataStore(path: subject.path, options: .init(initialMapByteCount: MapTests.mebibyte))
        #expect(try again.read { try $0.records(in: Scan("c")).count } == count + 1)
        await again.close()
    }

    @Test("Growth waits for a pending read")
    func waitingGrowth() async throws {
        let store = try LMDBDataStore(path: subject.path, options: .init(initialMapByteCount: MapTests.mebibyte))
        let old = Value.data(Array(repeating: 1, count: 200))
        try await store.write { try $0.put(["data": old], for: MapTests.key("old")) }
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let mayEnd = DispatchSemaphore(value: 0)
        async let values = withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try store.read { transaction in
                            beginning.yield()
                            var values: Set<Value?> = []
                            // Reads until the writer waits for the map, and a little longer.
                            while mayEnd.wait(timeout: .now() + .milliseconds(1)) == .timedOut {
                                values.insert(try transaction.record(for: MapTests.key("old"))?["data"])
                                // A nested read continues, too.
                                values.insert(try store.read { try $0.record(for: MapTests.key("old"))?["data"] })
                            }
                            return values
                        }
                    })
            }
        }
        for await _ in begun { break }
        let saved = Mutex(false)
        async let save: Void = {
            try await store.write { transaction in
                try transaction.put(["data": .data(Array(repeating: 2, count: 3 << 20))], for: MapTests.key("new"))
            }
            saved.withLock { $0 = true }
        }()
        try await Task.sleep(for: .milliseconds(200))
        let isSaved = saved.withLock(\.self)
        #expect(!isSaved, "the map may not move under a read")
        mayEnd.signal()
        try await save
        #expect(try await values == [old])
        #expect(try store.read { try $0.record(for: MapTests.key("new")) != nil })
        await store.close()
    }

    @Test("A write that does not fit affects no other write")
    func tooLargeWrite() async throws {
        let store = try LMDBDataStore(
            path: subject.path, options: .init(initialMapByteCount: MapTests.mebibyte, maximumByteCount: 4 << 20))
        let codes = try await withThrowingTaskGroup(of: DataStoreError.Code?.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let data = [UInt8](repeating: 7, count: number == 20 ? 8 << 20 : 1000)
                    do {
                        try await store.write { try $0.put(["data": .data(data)], for: MapTests.key("\(number)")) }
                        return nil
                    } catch let error as DataStoreError {
                        return error.code
                    }
                }
            }
            return try await group.reduce(into: [DataStoreError.Code?]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 != nil } == [.full])
        #expect(try store.read { try $0.records(in: Scan("c")).count } == 39)
        #expect(try #require(try store.statistics()).mapByteCount <= 4 << 20)
        await store.close()
    }

    private static func key(_ id: String) throws -> Key { try Key(collection: "c", id: id) }
}
