import DataStoreCore
import DataStoreQueries
import DataTesting
import Synchronization
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of which changes an observed query reads and decodes.
@Suite(.timeLimit(.minutes(5))) struct ObservedQueryTests {
    @Test("Only changed records of the result are decoded", arguments: StoreLocation.Kind.allCases)
    func decoding(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        let mapping = CountingMapping()
        let items = try DataStoreRepository(store: store, mapping: mapping)
        try await items.save(contentsOf: (0..<100).map { Item(id: "\(1000 + $0)", group: $0 % 2, rank: $0) })
        var pages = items.updates(matching: Query(where: \.group == 1)).makeAsyncIterator()
        #expect(try await pages.next()?.entities.count == 50)
        #expect(mapping.takeCount() == 50)
        // None of these records is or was part of the result.
        for id in [1000, 1002, 1004] { try await items.save(Item(id: "\(id)", group: 2, rank: 7)) }
        try await store.write { _ = try $0.remove(Key(collection: "items", id: "1006")) }
        try await items.save(Item(id: "1003", group: 1, rank: -1))
        #expect(try await pages.next()?.entities.first { $0.id == "1003" }?.rank == -1)
        #expect(mapping.takeCount() == 1)
        // A record enters the result, and others leave it.
        try await items.save(Item(id: "1008", group: 1, rank: 8))
        #expect(try await pages.next()?.entities.count == 51)
        #expect(mapping.takeCount() == 1)
        try await store.write { _ = try $0.remove(Key(collection: "items", id: "1001")) }
        #expect(try await pages.next()?.entities.count == 50)
        try await items.save(Item(id: "1005", group: 3, rank: 0))
        #expect(try await pages.next()?.entities.count == 49)
        #expect(mapping.takeCount() == 0)
        await store.close()
    }

    @Test("Another program's changes decode only changed records")
    func otherProgram() async throws {
        let location = try StoreLocation(.lmdb)
        let (store, other) = (try location.open(), try location.open())
        let mapping = CountingMapping()
        let items = try DataStoreRepository(store: store, mapping: mapping)
        try await items.save(contentsOf: (0..<20).map { Item(id: "\(1000 + $0)", group: 1, rank: $0) })
        var pages = items.updates(matching: Query(where: \.group == 1)).makeAsyncIterator()
        #expect(try await pages.next()?.entities.count == 20)
        _ = mapping.takeCount()
        let others = try DataStoreRepository(store: other, mapping: CountingMapping())
        try await others.save(Item(id: "1000", group: 1, rank: 5))
        #expect(try await pages.next()?.entities.first?.rank == 5)
        #expect(mapping.takeCount() == 1)
        await other.close()
        await store.close()
    }

    /// Random changes, each followed by a comparison with the result of the query itself.
    @Test("An observed query delivers the result of the query", arguments: StoreLocation.Kind.allCases, [1, 2, 3])
    func model(_ kind: StoreLocation.Kind, _ seed: UInt64) async throws {
        let location = try StoreLocation(kind)
        let store = try location.open()
        let items = try DataStoreRepository(store: store, mapping: CountingMapping())
        var random = RandomNumbers(state: seed)
        let cursor = Query<Item>.Cursor(values: [.integer(3)], id: "10")
        let queries: [Query<Item>] = [
            Query(), Query(where: \.group == 1), Query(limit: 3), Query(where: \.group != 1, limit: 2),
            Query(where: \.group < 2, sort: [.descending(\.rank)], limit: 3),
            Query(where: \.rank > 1, sort: [.ascending(\.rank)], limit: 4, after: cursor),
        ]
        var observers = queries.map { (query: $0, pages: items.updates(matching: $0).makeAsyncIterator(), last: -1) }
        var last: [Page<Item>?] = queries.map { _ in nil }
        for _ in 0..<150 {
            for index in observers.indices {
                let expected = try await items.find(observers[index].query)
                if let old = last[index], old.entities == expected.entities, old.next == expected.next { continue }
                let page = try await observers[index].pages.next()
                #expect(page?.entities == expected.entities && page?.next == expected.next)
                last[index] = page
            }
            let ids = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                "\(Int.random(in: 0..<12, using: &random))"
            }
            if Bool.random(using: &random) {
                _ = try await items.delete(ids)
            } else {
                let item = Item(
                    id: ids[0], group: Int.random(in: 0..<3, using: &random),
                    rank: Int.random(in: 0..<6, using: &random))
                try await items.save(contentsOf: [item] + ids.dropFirst().map { Item(id: $0, group: 1, rank: 2) })
            }
        }
        await store.close()
    }
}

private struct Item: Identifiable, Hashable, Sendable, Queryable {
    let id: String
    var group: Int
    var rank: Int

    struct Fields: Sendable {
        let group = EntityField<Item, Int>("group")
        let rank = EntityField<Item, Int>("rank")
    }
    static let fields = Fields()
}

/// A mapping that counts the entities that it decodes.
private struct CountingMapping: RecordMapping {
    private final class Count: Sendable { let number = Atomic(0) }

    let collection = "items"
    let fieldNames = ["group", "rank"]
    let queryFields = ["group": FieldMapping(QueryField("group")), "rank": FieldMapping(QueryField("rank"))]
    private let count = Count()

    func text(of id: String) -> String { id }
    func id(of text: String) -> String { text }

    func record(of entity: Item) -> Record {
        ["group": .integer(Int64(entity.group)), "rank": .integer(Int64(entity.rank))]
    }

    func entity(of record: borrowing RecordView, id: String) throws -> Item {
        count.number.add(1, ordering: .relaxed)
        return Item(id: id, group: try record.required("group"), rank: try record.required("rank"))
    }

    /// Returns the number of entities that were decoded since the last call.
    func takeCount() -> Int { count.number.exchange(0, ordering: .relaxed) }
}

/// Reproducible random numbers (SplitMix64).
private struct RandomNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
