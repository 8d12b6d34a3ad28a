import DataStoreCore
import DataStoreQueries
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of fields that are named by the key paths of an entity's stored properties.
@Suite struct EntityFieldsTests {
    struct Place: Codable, Hashable, Sendable {
        var name: String
        var country: String?
    }

    struct Leg: Codable, Hashable, Sendable, Queryable {
        var from: String
        var seats = 1
        static let fields = EntityFields(of: Leg.self)
    }

    enum Status: String, Codable, CaseIterable, FieldContent { case planned, done }

    struct Trip: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: String
        var title = ""
        var status = Status.planned
        var startsAt = Date(timeIntervalSince1970: 0)
        var place = Place(name: "")
        var stop: Place?
        var price: Decimal?
        var tags: [String] = []
        var legs: [Leg] = []
        var owner: MailAddress?
        var isPublic = false

        var shortTitle: String { title.lowercased() }

        enum CodingKeys: String, CodingKey {
            case id, title = "name", status, startsAt, place, stop, price, tags, legs, owner, isPublic
        }

        static let fields = EntityFields(of: Trip.self)
    }

    private typealias Trips = DataStoreRepository<CodableMapping<Trip>>

    private static let indexes: [IndexDefinition] = [
        .on("name"), .on("place.name"), .on("tags[]"), .on("price"), .on("legs[].from"),
    ]

    private static let places = [
        Trip(id: "a", title: "Ski", place: Place(name: "Oslo", country: "no"), price: Decimal(string: "9.5")),
        Trip(
            id: "b", title: "Sea", status: .done, place: Place(name: "Nice"), stop: Place(name: "Lyon", country: "fr"),
            price: 10, tags: ["sun", "sea"], legs: [Leg(from: "Lyon", seats: 2), Leg(from: "Oslo")]),
        Trip(
            id: "c", startsAt: Date(timeIntervalSince1970: 1), place: Place(name: "oslo"),
            price: Decimal(string: "-0.25"), tags: ["sea"], isPublic: true),
        Trip(id: "d", price: Decimal(string: "123456789012345678901234567890.125")),
        Trip(id: "e", price: nil),
    ]

    @Test(
        "Properties, also of nested structs and elements of arrays, are queried", arguments: StoreLocation.Kind.allCases
    )
    func query(_ kind: StoreLocation.Kind) async throws {
        for indexes in [[], Self.indexes] {
            let trips = try Trips(
                store: StoreLocation(kind).open(), mapping: CodableMapping<Trip>(in: "trips", indexes: indexes))
            for var trip in Self.places {
                if trip.id == "a" { trip.owner = try MailAddress("vision@example.com") }
                try await trips.save(trip)
            }
            func expect(
                _ ids: String, _ filter: Filter<Trip>, index: String? = nil,
                sourceLocation: SourceLocation = #_sourceLocation
            ) async throws {
                let found = try await trips.find(Query(where: filter)).entities.map(\.id)
                #expect(found.joined() == ids, sourceLocation: sourceLocation)
                let used = try await trips.explain(Query(where: filter)).index
                #expect(used == (indexes.isEmpty ? nil : index), sourceLocation: sourceLocation)
            }
            try await expect("a", \.title == "Ski", index: "name")
            try await expect("b", \.status == .done)
            try await expect("c", \.startsAt > Date(timeIntervalSince1970: 0))
            try await expect("c", \.isPublic == true)
            try await expect("a", \.owner == MailAddress("vision@EXAMPLE.com"))
            try await expect("a", \.place.name == "Oslo", index: "place.name")
            try await expect(
                "ac", .begins(\.place.name, with: "oS", ignoringCase: true))
            try await expect("a", \.place.country == "no")
            try await expect("b", \.stop.country == "fr" && \.stop.name != nil)
            try await expect("acde", \.stop.name == nil)
            try await expect("bc", \.tags == "sea", index: "tags[]")
            try await expect("ade", \.tags == nil, index: "tags[]")
            try await expect("b", .any(\.legs, \.from == "Lyon" && \.seats == 2), index: "legs[].from")
            try await expect("", .any(\.legs, \.from == "Oslo" && \.seats == 2), index: "legs[].from")
            try await expect("ac", \.price < 10, index: indexes.isEmpty ? nil : "price:number.decimal@1")
            try await expect("bd", \.price >= 10, index: "price:number.decimal@1")
            try await expect("a", \.price == Decimal(string: "9.50")!, index: "price:number.decimal@1")
            try await expect("", \.price == .nan, index: "price:number.decimal@1")
            let sorted = try await trips.find(Query(sort: [.descending(\.price)])).entities.map(\.id)
            #expect(sorted == ["d", "b", "a", "c", "e"])
        }
    }

    @Test("A computed property is an error that names the fields")
    func computed() async throws {
        let trips = try Trips(store: StoreLocation(.memory).open(), mapping: CodableMapping<Trip>(in: "trips"))
        let error = try #require(
            await #expect(throws: RepositoryError.self) { try await trips.find(Query(where: \.shortTitle == "a")) })
        #expect(error.message.contains(#""\Trip.<computed>""#) && error.message.contains("place.name"), "\(error)")
    }

    struct Picky: Codable, Identifiable, Sendable, Queryable {
        let id: String
        var title: String
        init(from decoder: any Decoder) throws { throw CocoaError(.coderInvalidValue) }
        static let fields = EntityFields(of: Picky.self)
    }

    @Test("A type without known fields is an error when it is declared")
    func rejected() async throws {
        let mapping = CodableMapping<Picky>(in: "picky")
        let error = #expect(throws: DataStoreError.self) {
            try DataStoreRepository(store: StoreLocation(.memory).open(), mapping: mapping)
        }
        #expect(error?.code == .misuse && error?.reason.contains("EntityFields(of: Picky.self, named: ") == true)
    }

    struct Node: Codable, Identifiable, Sendable, Queryable {
        let id: UUID
        var name: String
        var children: [Node] = []
        static let fields = EntityFields(of: Node.self)
    }

    @Test("A type that contains itself has fields")
    func recursive() async throws {
        let nodes = try DataStoreRepository(
            store: StoreLocation(.memory).open(), mapping: CodableMapping<Node>(in: "nodes"))
        let node = Node(id: UUID(), name: "a", children: [Node(id: UUID(), name: "b")])
        try await nodes.save(node)
        #expect(try await nodes.count(where: \.id == node.id && .any(\.children, \.name == "b")) == 1)
    }

    @Test("An explicit field can be a path")
    func paths() async throws {
        struct Task: Codable, Identifiable, Sendable, Queryable {
            let id: String
            var place: Place
            var tags: [String]
            struct Fields: Sendable {
                let city = EntityField<Task, String>("place.name")
                let tag = EntityField<Task, String>("tags[]")
            }
            static let fields = Fields()
        }
        let tasks = try DataStoreRepository(
            store: StoreLocation(.memory).open(), mapping: CodableMapping<Task>(in: "tasks", indexes: [.on("tags[]")]))
        try await tasks.save(Task(id: "a", place: Place(name: "Oslo"), tags: ["x", "y"]))
        #expect(try await tasks.count(where: \.city == "Oslo" && \.tag == "y") == 1)
    }
}
