import DataStoreCore
import DataStoreQueries
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests that each stored property has a known field, or that the declaration of the collection fails.
@Suite struct FieldNamesTests {
    enum Urgency: Int, Codable, FieldContent { case low, high }
    enum Size: Int, Codable, FieldContent { case small = 1, large }
    enum Letter: String, Codable, FieldContent { case a, b }
    enum Shape: Codable, Hashable { case circle(radius: Double), square(Int), none }
    struct PatientID: RawRepresentable, Codable, Hashable, Sendable, FieldContent { let rawValue: UUID }
    struct Tagged<Raw: Codable & Hashable & Sendable>: Codable, Hashable, Sendable { var raw: Raw }

    struct Appointment: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: PatientID
        var urgency = Urgency.low
        var size = Size.small
        var letter = Letter.a
        var shape = Shape.none
        var user: UserID
        var patient: PatientID?
        var other: Letter?
        var twice: Letter??
        var tagged = Tagged(raw: 1)
        var nested: Nested?
        var letters: [Letter] = []
        var seats = 0

        struct Nested: Codable, Hashable { var letter = Letter.b }

        static let fields = EntityFields(of: Appointment.self)
    }

    private func repository<Entity: Codable & Identifiable & Sendable>(
        _ type: Entity.Type, indexes: [IndexDefinition] = []
    ) throws -> DataStoreRepository<CodableMapping<Entity>> where Entity.ID: Codable & Sendable {
        try DataStoreRepository(
            store: StoreLocation(.memory).open(), mapping: CodableMapping(type, in: "entities", indexes: indexes))
    }

    @Test("Properties of any type are found by key path", arguments: [false, true])
    func anyType(_ hasIndexes: Bool) async throws {
        let indexes: [IndexDefinition] = [.on("urgency"), .on("user"), .on("patient"), .on("nested.letter"), .on("id")]
        let entities = try repository(Appointment.self, indexes: hasIndexes ? indexes : [])
        let (one, two) = (PatientID(rawValue: UUID()), PatientID(rawValue: UUID()))
        let first = Appointment(id: one, user: try UserID("me"))
        let second = Appointment(
            id: two, urgency: .high, size: .large, letter: .b, shape: .circle(radius: 1), user: try UserID("you"),
            patient: one, other: .b, twice: .b, tagged: Tagged(raw: 2), nested: .init(), letters: [.a, .b], seats: 7)
        for entity in [first, second] { try await entities.save(entity) }
        let filters: [Filter<Appointment>] = [
            \.id == two, \.urgency == .high, \.size == .large, \.letter == .b, try \.user == UserID("you"),
            \.patient == one, \.other == .b, \.twice == .b, \.tagged.raw == 2, \.nested.letter == .b, \.letters == .b,
            \.seats == 7,
        ]
        for filter in filters { #expect(try await entities.find(Query(where: filter)).entities == [second]) }
        #expect(try await entities.find(one) == first)
        #expect(try await entities.find(two) == second)
    }

    private func problem<Entity: Codable & Identifiable & Sendable>(_ type: Entity.Type) -> String?
    where Entity.ID: Codable & Sendable {
        let error = #expect(throws: DataStoreError.self) { try repository(type) }
        #expect(error?.code == .misuse)
        return error?.reason
    }

    @propertyWrapper struct Clamped: Codable, Sendable {
        var wrappedValue: Int
        init(wrappedValue: Int) { self.wrappedValue = min(wrappedValue, 9) }
        init(from decoder: any Decoder) throws { self.init(wrappedValue: try Int(from: decoder)) }
        func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
    }

    struct Wrapped: Codable, Identifiable, Sendable, Queryable {
        let id: Int
        @Clamped var volume = 1
        static let fields = EntityFields(of: Wrapped.self)
    }

    struct NamedWrapped: Codable, Identifiable, Sendable, Queryable {
        let id: Int
        @Clamped var volume = 1
        var double: Int { 2 * volume }
        static let fields = EntityFields(of: NamedWrapped.self, named: [\.volume: "volume"])
    }

    @Test("A property with a wrapper is declared")
    func wrapper() async throws {
        let reason = problem(Wrapped.self)
        #expect(
            reason == "the field of the property volume of Wrapped is unknown; "
                + #"declare EntityFields(of: Wrapped.self, named: [\.volume: "volume"])"#)
        let entities = try repository(NamedWrapped.self)
        for volume in 1...3 { try await entities.save(NamedWrapped(id: volume, volume: volume)) }
        #expect(try await entities.find(Query(where: \.volume > 1)).entities.map(\.id) == [2, 3])
        await #expect(throws: RepositoryError.self) { try await entities.find(Query(where: \.double == 4)) }
    }

    struct Renamed: Codable, Identifiable, Sendable, Queryable {
        let id: Int
        var title: String
        var urgency: Urgency?
        var letter: Letter
        var place: String
        enum CodingKeys: String, CodingKey {
            // The names of two properties are swapped.
            case id, title = "place", urgency, letter
            case place = "title"
        }
        static let fields = EntityFields(of: Renamed.self)
    }

    @Test("A case of the coding keys proves the name of a property")
    func renamed() async throws {
        // `place` follows a property whose type rejects the values of the search.
        let reason = problem(Renamed.self)
        #expect(reason?.contains("the property place of Renamed") == true, "\(reason ?? "")")
        #expect(reason?.contains(#"named: [\.place: "…"])"#) == true, "\(reason ?? "")")
    }

    struct Named: Codable, Identifiable, Sendable, Queryable {
        let id: Int
        var title: String
        var urgency: Urgency?
        var letter = Letter.b
        var place: String
        var count = 1
        private var cached: String?
        enum CodingKeys: String, CodingKey {
            case id, title = "place", urgency, letter, count
            case place = "title"
        }
        init(id: Int, title: String, place: String) { (self.id, self.title, self.place) = (id, title, place) }
        static let fields = EntityFields(
            of: Named.self, named: [\.place: "title", \.cached: nil, \.count: "count"])
    }

    @Test("A declared name overrides one property")
    func declared() async throws {
        let entities = try repository(Named.self, indexes: [.on("title")])
        try await entities.save(Named(id: 1, title: "a", place: "b"))
        try await entities.save(Named(id: 2, title: "b", place: "a"))
        #expect(try await entities.find(Query(where: \.title == "a" && \.count == 1)).entities.map(\.id) == [1])
        #expect(try await entities.find(Query(where: \.place == "a" && \.letter == .b)).entities.map(\.id) == [2])
        #expect(try await entities.explain(Query(where: \.place == "a")).index == "title")
    }

    class Base: Codable {
        let name: String
        init(name: String) { self.name = name }
    }

    final class Derived: Base, Identifiable, @unchecked Sendable, Queryable {
        let id: String
        enum CodingKeys: CodingKey { case id }
        init(id: String, name: String) {
            self.id = id
            super.init(name: name)
        }
        required init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.decode(String.self, forKey: .id)
            try super.init(from: fields.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(id, forKey: .id)
            try super.encode(to: fields.superEncoder())
        }
        static let fields = EntityFields(of: Derived.self, named: [\.name: "super.name"])
    }

    final class Undeclared: Base, Identifiable, @unchecked Sendable, Queryable {
        var id: String { name }
        static let fields = EntityFields(of: Undeclared.self)
    }

    @Test("Properties of a superclass are fields")
    func superclass() async throws {
        let entities = try repository(Derived.self)
        for (id, name) in [("1", "a"), ("2", "b")] { try await entities.save(Derived(id: id, name: name)) }
        #expect(try await entities.find(Query(where: \.name == "b" && \.id == "2")).entities.map(\.id) == ["2"])
        #expect(CodableMapping(Undeclared.self, in: "entities").queryFields.keys.sorted() == ["name"])
    }

    struct Generic<Content: FieldContent & Codable>: Codable, Identifiable, Sendable, Queryable {
        let id: Int
        var content: Content
        var optional: Content?
        var list: [Content]
        static var fields: EntityFields<Generic, Generic> { EntityFields(of: Generic.self) }
    }

    @Test("Properties of generic types are fields")
    func generic() async throws {
        let entities = try repository(Generic<Letter>.self)
        try await entities.save(Generic(id: 1, content: .a, optional: .b, list: [.a, .b]))
        #expect(try await entities.count(where: \.content == .a && \.optional == .b && \.list == .b) == 1)
        let numbers = try repository(Generic<Double>.self)
        try await numbers.save(Generic(id: 1, content: 1.5, optional: nil, list: []))
        #expect(try await numbers.count(where: \.content == 1.5 && \.optional == nil) == 1)
    }

    struct Named2: Codable, Hashable, Sendable, Queryable {
        var letter: Letter
        var title: String
        enum CodingKeys: String, CodingKey { case letter, title = "t" }
        static let fields = EntityFields(of: Named2.self, named: [\.title: "t"])
    }

    struct Outer: Codable, Identifiable, Sendable, Queryable {
        let id: Int
        var inner: Named2
        var parts: [Named2] = []
        static let fields = EntityFields(of: Outer.self)
    }

    @Test("A nested type declares its own names")
    func nested() async throws {
        let entities = try repository(Outer.self)
        let inner = Named2(letter: .a, title: "x")
        try await entities.save(Outer(id: 1, inner: inner, parts: [inner]))
        #expect(try await entities.count(where: \.inner.title == "x" && .any(\.parts, \.title == "x")) == 1)
    }

    struct Keyed: RawRepresentable, Codable, Hashable, Sendable { let rawValue: [Int] }
    struct WithKeyed: Codable, Identifiable, Sendable { let id: Keyed }

    @Test("A typed id is stored as its raw value, and another one is an error")
    func typedIDs() async throws {
        let mapping = CodableMapping(Appointment.self, in: "entities")
        let id = PatientID(rawValue: UUID())
        let entity = Appointment(id: id, user: try UserID("me"), patient: id)
        let record = try mapping.record(of: entity)
        #expect(record["id"] == .string(id.rawValue.uuidString) && record["patient"] == record["id"])
        #expect(try mapping.text(of: id) == id.rawValue.uuidString && mapping.id(of: id.rawValue.uuidString) == id)
        let error = await #expect(throws: RepositoryError.self) {
            try await repository(WithKeyed.self).save(WithKeyed(id: Keyed(rawValue: [1])))
        }
        #expect(error?.message.contains("use a raw value of the type String, UUID or Int") == true, "\(error!)")
    }

    @Test("An index is declared by key paths, and a computed property is an error")
    func keyPathIndexes() async throws {
        func names(_ indexes: [EntityIndex<EntityFieldsTests.Trip>]) -> [String] { indexes.map(\.definition.name) }
        #expect(
            names([.on(\.title), .unique(\.status, \.startsAt), .on(\.place.name), .on(\.tags), .on("legs[].from")])
                == ["name", "[status, startsAt]", "place.name", "tags[]", "legs[].from"])
        let wrong: EntityIndex<EntityFieldsTests.Trip> = .on(\.status, \.shortTitle)
        let error = #expect(throws: DataStoreError.self) {
            try repository(EntityFieldsTests.Trip.self, indexes: [wrong.definition])
        }
        #expect(error?.code == .misuse)
        #expect(error?.reason.contains("Trip.<computed>") == true, "\(error?.reason ?? "")")
    }

    /// A wrapper with a synthesized conformance is stored as a record.
    @propertyWrapper struct Boxed: Codable, Sendable {
        var wrappedValue: Int
    }

    struct Song: Codable, Identifiable, Sendable, Queryable {
        let id: String
        @Boxed var volume: Int
        static let fields = EntityFields(of: Song.self, named: [\.volume: "volume.wrappedValue"])
    }

    @Test("A declared field can be a part of the property's field")
    func partOfField() async throws {
        let songs = try repository(Song.self, indexes: [.on("volume.wrappedValue")])
        for volume in [3, 7] { try await songs.save(Song(id: "\(volume)", volume: volume)) }
        #expect(try await songs.find(Query(where: \.volume > 5)).entities.map(\.id) == ["7"])
    }
}
