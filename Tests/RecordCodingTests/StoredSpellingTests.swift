import DataStoreCore
import DataStoreQueries
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of values that a migration or a person has written in another spelling than the library.
@Suite struct StoredSpellingTests {
    struct Item: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: String
        var price: Decimal?
        var ref: UUID?
        static let fields = EntityFields(of: Item.self)
    }

    private typealias Items = DataStoreRepository<CodableMapping<Item>>

    /// Opens a repository without and with indexes over records that were written without it.
    private static func withItems(
        _ kind: StoreLocation.Kind, _ records: [(id: String, record: Record)],
        _ body: (Items, SchemaStore) async throws -> Void
    ) async throws {
        for indexes in [[], [IndexDefinition.on("price"), .on("ref")]] {
            let store = try StoreLocation(kind).open()
            try await store.write { transaction in
                for (id, record) in records { try transaction.put(record, for: Key(collection: "items", id: id)) }
            }
            let mapping = CodableMapping<Item>(in: "items", indexes: indexes)
            let schemaStore = try SchemaStore.declaring([mapping.schemaCollection], in: store)
            try await body(Items(schemaStore, mapping: mapping), schemaStore)
        }
    }

    @Test("Decimals in any spelling are read, compared and added", arguments: StoreLocation.Kind.allCases)
    func decimals(_ kind: StoreLocation.Kind) async throws {
        let numbers = [120.0, 0.0, -3.0, 1e20, 1e-7]
        let records = numbers.enumerated().map { index, number in
            ("\(index)", ["id": .string("\(index)"), "price": .string("\(number)")] as Record)
        }
        try await Self.withItems(kind, records) { items, _ in
            // The second round reads from an index that a save has completed.
            for _ in 0..<2 {
                let prices = try await items.list().compactMap(\.price)
                #expect(prices == numbers.compactMap { Decimal(string: "\($0)") })
                #expect(try await items.count(where: \.price < 1) == 3)
                #expect(try await items.find(Query(where: \.price == 120)).entities.map(\.id) == ["0"])
                #expect(try await items.sum(of: \.price) == prices.reduce(0, +))
                #expect(try await items.max(of: \.price) == Decimal(string: "1e20"))
                #expect(try await items.counts(by: \.price)[0] == 1)
                let sorted = try await items.find(Query(sort: [.ascending(\.price)])).entities
                #expect(sorted.map(\.id) == ["2", "1", "4", "0", "3"])
                try await items.save(Item(id: "0", price: 120))
            }
        }
    }

    @Test("A value that is not a decimal is an error and is never skipped", arguments: StoreLocation.Kind.allCases)
    func invalidDecimals(_ kind: StoreLocation.Kind) async throws {
        for value in [Value.string("12 euros"), .real(1.5), .bool(true)] {
            let record: Record = ["id": .string("a"), "price": value]
            try await Self.withItems(kind, [("a", record)]) { items, store in
                await Self.expectCorrupted { _ = try await items.count(where: \.price < 1) }
                await Self.expectCorrupted { _ = try await items.sum(of: \.price) }
                await Self.expectCorrupted { _ = try await items.find(Query(sort: [.ascending(\.price)])) }
                try await items.save(Item(id: "a", price: 7))
                #expect(try await items.sum(of: \.price) == 7)
                try await store.buildIndexes()
                guard try await !store.indexes().isEmpty else { return }
                let error = await #expect(throws: DataStoreError.self) {
                    try await store.write { try $0.put(record, for: Key(collection: "items", id: "b")) }
                }
                #expect(error?.code == .invalidRecord && error?.reason.contains("price") == true)
            }
        }
    }

    @Test("A lowercase UUID is found", arguments: StoreLocation.Kind.allCases)
    func uuids(_ kind: StoreLocation.Kind) async throws {
        let (one, other) = (UUID(), UUID())
        let records: [(String, Record)] = [
            ("a", ["id": .string("a"), "ref": .string(one.uuidString.lowercased())]),
            ("b", ["id": .string("b"), "ref": .string(one.uuidString)]),
            ("c", ["id": .string("c"), "ref": .string(other.uuidString)]),
        ]
        try await Self.withItems(kind, records) { items, _ in
            for _ in 0..<2 {
                #expect(try await items.find(Query(where: \.ref == one)).entities.map(\.id) == ["a", "b"])
                #expect(try await items.count(where: .isIn(\.ref, [one])) == 2)
                #expect(try await items.counts(by: \.ref) == [one: 2, other: 1])
                var query = Query<Item>(sort: [.ascending(\.ref)], limit: 1)
                var refs: [UUID?] = []
                repeat {
                    let page = try await items.find(query)
                    refs += page.entities.map(\.ref)
                    query.cursor = page.next
                } while query.cursor != nil
                #expect(refs == (one.uuidString < other.uuidString ? [one, one, other] : [other, one, one]))
                try await items.save(Item(id: "c", ref: other))
            }
        }
    }

    private static func expectCorrupted(_ body: () async throws -> Void) async {
        let error = await #expect(throws: RepositoryError.self) { try await body() }
        #expect(error?.code == .corrupted && error?.message.contains("price") == true)
        #expect(error?.message.contains("items/a") == true)
    }
}
