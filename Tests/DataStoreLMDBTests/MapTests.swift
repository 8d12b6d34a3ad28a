import DataStoreCore
import DataStoreLMDB
import Testing
import TortureKit

/// Tests of stores with a maximum size.
@Suite struct MapTests {
    private let subject: LMDBSubject
    private static let mebibyte = 1 << 20

    init() throws { subject = try LMDBSubject() }

    @Test("A store whose limit another process has exceeded fails until it is opened again")
    func exceededLimit() async throws {
        let options = LMDBDataStore.Options(maximumByteCount: MapTests.mebibyte)
        var store = try LMDBDataStore(path: subject.path, options: options)
        try await store.write { try $0.put(["n": .integer(1)], for: MapTests.key("a")) }
        let other = try await TortureProgram.run(["grow", subject.path, "other", "40"])
        #expect(other.isDone, "\(other)")
        let (open, key) = (store, try MapTests.key("a"))
        let reading = await code { _ = try open.read { try $0.record(for: key) } as Record? }
        let writing = await code { try await open.write { try $0.put(["n": .integer(2)], for: key) } }
        #expect(reading == .full && writing == .full)
        await store.close()
        store = try LMDBDataStore(path: subject.path, options: options)
        let record = try store.read { try $0.record(for: MapTests.key("a")) }
        #expect(record == ["n": .integer(1)])
        await store.close()
    }

    @Test("A write that does not fit affects no other write")
    func tooLargeWrite() async throws {
        let store = try LMDBDataStore(path: subject.path, options: .init(maximumByteCount: 4 << 20))
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

    /// Returns the code of the error that a closure throws.
    private func code(_ body: () async throws -> Void) async -> DataStoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DataStoreError)?.code
        }
    }
}
