import DataStoreCore
import DataStoreQueries
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of least and greatest values, sums, and counts by value.
@Suite struct AggregateTests {
    enum Status: String, Codable, CaseIterable, FieldContent { case open, done }

    struct Order: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: Int
        var status: Status?
        var count: Int
        var price: Decimal?
        var weight = 0.0
        var tags: [String] = []
        var at = Date(timeIntervalSince1970: 0)
        static let fields = EntityFields(of: Order.self)
    }

    private typealias Orders = DataStoreRepository<CodableMapping<Order>>

    private static let indexes: [IndexDefinition] = [
        .on("status", "price"), .on("count"), .on("weight"), .on("tags[]"), .on("at"), .on("status"), .on("price"),
    ]

    private static func orders(_ kind: StoreLocation.Kind, indexes: [IndexDefinition] = []) async throws -> Orders {
        let orders = try Orders(
            store: StoreLocation(kind).open(), mapping: CodableMapping<Order>(in: "orders", indexes: indexes))
        for number in 1...30 {
            try await orders.save(
                Order(
                    id: number, status: number % 5 == 0 ? nil : number % 3 == 0 ? .done : .open, count: number - 10,
                    price: number % 7 == 0 ? nil : Decimal(number) / 4, weight: Double(number) / 10,
                    tags: number % 2 == 0 ? ["even", "all"] : ["all"],
                    at: Date(timeIntervalSince1970: Double(number))))
        }
        return orders
    }

    @Test("Aggregates are the same with and without indexes", arguments: StoreLocation.Kind.allCases)
    func aggregates(_ kind: StoreLocation.Kind) async throws {
        for indexes in [[], Self.indexes] { try await check(Self.orders(kind, indexes: indexes)) }
    }

    @Test("The default implementation computes aggregates with queries")
    func defaults() async throws {
        let orders = Foreign(orders: try await Self.orders(.memory))
        try await check(orders, hasSeveralValues: false)
        // The default implementation rejects several values of a field instead of returning incomplete groups.
        await #expect(throws: RepositoryError.self) { try await orders.counts(by: \.tags) }
        await #expect(throws: RepositoryError.self) { try await orders.max(of: \.tags) }
    }

    private func check(_ orders: some Repository<Order>, hasSeveralValues: Bool = true) async throws {
        #expect(try await orders.min(of: \.count) == -9)
        #expect(try await orders.max(of: \.count, where: \.status == .done) == 17)
        #expect(try await orders.sum(of: \.count) == 165)
        #expect(try await orders.min(of: \.price, where: \.status == .open) == Decimal(string: "0.25"))
        #expect(try await orders.max(of: \.price) == Decimal(string: "7.5"))
        #expect(try await orders.sum(of: \.price) == Decimal(string: "98.75"))
        #expect(try await orders.sum(of: \.price, where: \.status == .done) == Decimal(string: "24.75"))
        #expect(try await abs(orders.sum(of: \.weight) - 46.5) < 1e-9)
        #expect(try await orders.max(of: \.at) == Date(timeIntervalSince1970: 30))
        #expect(try await orders.min(of: \.at, where: \.count > 100) == nil)
        #expect(try await orders.sum(of: \.count, where: \.count > 100) == 0)
        #expect(try await orders.counts(by: \.status) == [.open: 16, .done: 8, nil: 6])
        #expect(try await orders.counts(by: \.status, where: \.price == nil) == [.open: 3, .done: 1])
        #expect(try await orders.distinct(\.status) == [.done, .open])
        #expect(try await orders.distinct(\.count, where: .between(\.count, 3..<6)) == [3, 4, 5])
        #expect(try await orders.sums(of: \.count, by: \.status) == [.open: 80, .done: 40, nil: 45])
        let prices = try await orders.sums(of: \.price, by: \.status, where: \.count < 0)
        #expect(prices == [.open: 3.75, .done: 4.5, nil: 1.25])
        let latest = try await orders.latest(per: \.status, by: \.at)
        #expect(latest.mapValues(\.id) == [.open: 29, .done: 27, nil: 30])
        #expect(try await orders.latest(per: \.status, by: \.price, where: \.price > 7)[.open]?.id == 29)
        // The first of several entities with the greatest value.
        #expect(try await orders.latest(per: \.status) { _ in 1 }.mapValues(\.id) == [.open: 1, .done: 3, nil: 5])
        let (none, open): (Status?, Status?) = (nil, .open)
        #expect(try await orders.count(where: \.status == none) == 6)
        #expect(try await orders.count(where: \.status != none) == 24)
        #expect(try await orders.count(where: \.status == open) == 16)
        #expect(try await orders.count(where: .between(\.count, 3...6)) == 4)
        #expect(try await orders.count(where: .between(\.price, 1..<1)) == 0)
        #expect(try await orders.count(where: .all(of: [\.status == .open, \.count > 0, \.price != nil])) == 9)
        #expect(try await orders.count(where: .any(of: [.all(of: [\.count == 1, \.count == 2]), \.count == 3])) == 1)
        #expect(try await orders.count(where: .all(of: [])) == 30)
        #expect(try await orders.count(where: .any(of: [])) == 0)
        guard hasSeveralValues else { return }
        #expect(try await orders.counts(by: \.tags) == ["all": 30, "even": 15])
        #expect(try await orders.max(of: \.tags) == "even")
    }

    @Test("Aggregates of an indexed field read only the index", arguments: StoreLocation.Kind.allCases)
    func reads(_ kind: StoreLocation.Kind) async throws {
        let orders = try await Self.orders(kind, indexes: Self.indexes)
        let indexes = CodableMapping<Order>(in: "orders", indexes: Self.indexes).indexes
        func report(
            _ field: QueryField, _ condition: Condition?, _ isDescending: Bool = false, _ limit: Int? = nil
        ) async throws -> QueryExplanation {
            try await orders.store.read { transaction in
                let query = RecordQuery("orders", where: condition, indexes: indexes)
                return try transaction.groups(matching: query, by: field, isDescending: isDescending, limit: limit)
                    .report
            }
        }
        let (count, price) = (QueryField("count"), QueryField("price").transformed(by: .decimal))
        let isDone = Condition.compare(QueryField("status"), .equal, .string("done"))
        let least = try await report(count, .exists(count), false, 1)
        #expect(least.index == "count" && least.entryCount == 1 && least.entityCount == 0)
        let greatest = try await report(price, .and([isDone, .exists(price)]), true, 1)
        #expect(greatest.index == "[status, price:number.decimal@1]")
        #expect(greatest.entryCount == 1 && greatest.entityCount == 0)
        let counts = try await report(QueryField("status"), nil)
        #expect(counts.entryCount == 30 && counts.entityCount == 0)
        let tags = try await report(.elements(of: "tags"), nil)
        #expect(tags.index == "tags[]" && tags.entryCount == 45 && tags.entityCount == 0)
        // The index by status does not contain the weight.
        let weights = try await report(QueryField("weight"), isDone)
        #expect(weights.entityCount == 8)
    }

    @Test("Values that queries cannot compare do not hide the greatest value", arguments: StoreLocation.Kind.allCases)
    func incomparableValues(_ kind: StoreLocation.Kind) async throws {
        for indexes in [[], Self.indexes] {
            let store = try StoreLocation(kind).open()
            let orders = try Orders(store: store, mapping: CodableMapping<Order>(in: "orders", indexes: indexes))
            for id in 1...2 { try await orders.save(Order(id: id, count: id)) }
            for (id, value) in [("3", Value.data([1])), ("4", .array([])), ("5", .data([2]))] {
                // A write through a schema store keeps the indexes complete.
                try await SchemaStore(store).put(["count": value], "orders", id)
            }
            #expect(try await orders.min(of: \.count) == 1)
            #expect(try await orders.max(of: \.count) == 2)
        }
    }

    @Test("A sum beyond the range of the type is an error")
    func overflow() async throws {
        let orders = try Orders(store: StoreLocation(.memory).open(), mapping: CodableMapping<Order>(in: "orders"))
        for id in 1...2 { try await orders.save(Order(id: id, count: .max)) }
        await #expect(throws: RepositoryError.self) { try await orders.sum(of: \.count) }
        await #expect(throws: RepositoryError.self) { try await orders.sums(of: \.count, by: \.status) }
    }

    @Test("Integer ids are sorted as numbers", arguments: StoreLocation.Kind.allCases)
    func integerIDs(_ kind: StoreLocation.Kind) async throws {
        let orders = try Orders(
            store: StoreLocation(kind).open(), mapping: CodableMapping<Order>(in: "orders", indexes: [.on("count")]))
        let ids = [100, 9, -5, 10, 0, -50, .max, .min, 11]
        for id in ids { try await orders.save(Order(id: id, count: id % 2)) }
        #expect(try await orders.list().map(\.id) == ids.sorted())
        #expect(try await orders.list(after: 9, limit: 3).map(\.id) == [10, 11, 100])
        for query in [
            Query<Order>(limit: 2), Query(sort: [.ascending(\.id)], limit: 4),
            Query(where: \.count == 0, limit: 1), Query(sort: [.descending(\.count)], limit: 2),
        ] {
            var (query, found) = (query, [Order]())
            repeat {
                let page = try await orders.find(query)
                found += page.entities
                query.cursor = page.next
            } while query.cursor != nil
            let expected = ids.sorted().filter { query.filter == nil || $0 % 2 == 0 }
            let isByCount = query.sort.first?.isDescending == true
            let sorted = isByCount ? [1, 0, -1].flatMap { count in expected.filter { $0 % 2 == count } } : expected
            #expect(found.map(\.id) == sorted)
        }
        #expect(try await orders.explain(Query(limit: 2)).entityCount == 2)
    }

    @Test("Integer ids outside the range of Int64 come last", arguments: StoreLocation.Kind.allCases)
    func wideIDs(_ kind: StoreLocation.Kind) async throws {
        struct Wide: Codable, Identifiable, Sendable { let id: UInt64 }
        let items = try StoreLocation(kind).open().repository(mapping: Wide.mapping(in: "wide"))
        let ids: [UInt64] = [2, 10, 9_223_372_036_854_775_807, 10_000_000_000_000_000_000, 9_223_372_036_854_775_808]
        for id in ids { try await items.save(Wide(id: id)) }
        #expect(try await items.list().map(\.id) == ids)
        #expect(try await items.list(after: ids[2], limit: 2).map(\.id) == [ids[3], ids[4]])
    }

    /// A repository with the required functions alone.
    private struct Foreign: Repository {
        let orders: Orders
        func find(_ id: Int) async throws -> Order? { try await orders.find(id) }
        func find(_ query: Query<Order>) async throws -> Page<Order> { try await orders.find(query) }
        func update<Result: Sendable>(
            _ id: Int, _ change: @escaping @Sendable (inout Order?) throws -> Result
        ) async throws -> Result {
            try await orders.update(id, change)
        }
        func deleteAll(where condition: @escaping @Sendable (Order) -> Bool) async throws -> Int {
            try await orders.deleteAll(where: condition)
        }
    }
}
