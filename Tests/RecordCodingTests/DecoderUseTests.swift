import DataStoreCore
import DataStoreTesting
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of unusual ways in which `init(from:)` and `encode(to:)` use a coder.
@Suite struct DecoderUseTests {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private struct Trip: Codable, Identifiable, Hashable, Sendable, Queryable {
        let id: UUID
        var title: String
        var startsAt: Int
        var destination: String

        static let fields = EntityFields(of: Trip.self)
    }

    @Test("Pages are sorted by any field of a decoded entity", arguments: StoreLocation.Kind.allCases)
    func pages(_ kind: StoreLocation.Kind) async throws {
        let location = try StoreLocation(kind)
        let trips = try DataStoreRepository(store: try location.open(), mapping: CodableMapping<Trip>(in: "trips"))
        for number in 0..<5 {
            try await trips.save(Trip(id: UUID(), title: "t", startsAt: number, destination: "\(number)"))
        }
        for isDescending in [false, true] {
            var found: [Int] = []
            var cursor: Query<Trip>.Cursor?
            repeat {
                let sort: Sort<Trip> =
                    isDescending ? .descending(\.destination) : .ascending(\.destination)
                let page = try await trips.find(Query(sort: [sort], limit: 2, after: cursor))
                found += page.entities.map(\.startsAt)
                cursor = page.next
            } while cursor != nil && found.count < 10
            #expect(found == (isDescending ? [4, 3, 2, 1, 0] : [0, 1, 2, 3, 4]))
        }
    }

    /// An entity whose coding keys depend on the value. The long ones have the same length, beginning and end.
    private enum Sheet: Codable, Identifiable, Equatable, Sendable {
        case page(String, left: Int, next: Int?)
        case stack(String, [Sheet])

        private enum CodingKeys: String, CodingKey {
            case id, sheets, left = "width-of-left-margin", next = "width-of-next-margin"
        }

        var id: String {
            switch self {
            case .page(let id, _, _), .stack(let id, _): id
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let sheets = try container.decodeIfPresent([Sheet].self, forKey: .sheets) {
                self = .stack(try container.decode(String.self, forKey: .id), sheets)
            } else {
                let next = try container.decodeIfPresent(Int.self, forKey: .next)
                let left = try container.decode(Int.self, forKey: .left)
                self = .page(try container.decode(String.self, forKey: .id), left: left, next: next)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            switch self {
            case .page(_, let left, let next):
                try container.encode(left, forKey: .left)
                try container.encodeIfPresent(next, forKey: .next)
            case .stack(_, let sheets): try container.encode(sheets, forKey: .sheets)
            }
        }
    }

    @Test("Entities that differ in their fields are decoded in turn", arguments: StoreLocation.Kind.allCases)
    func entitiesInTurn(_ kind: StoreLocation.Kind) async throws {
        var generator = SeededGenerator()
        print("Entities in turn: seed \(generator.seed)")
        func sheet(_ number: Int, depth: Int = 0) -> Sheet {
            let id = "\(1000 + number)"
            guard depth < 3, Int.random(in: 0..<3, using: &generator) == 0 else {
                return .page(id, left: number, next: Bool.random(using: &generator) ? 2 * number : nil)
            }
            return .stack(
                id, (0..<Int.random(in: 0...8, using: &generator)).map { sheet($0, depth: depth + 1) })
        }
        let store = try StoreLocation(kind).open()
        let sheets = try DataStoreRepository(store: store, mapping: CodableMapping<Sheet>(in: "sheets"))
        let parcels = try DataStoreRepository(store: store, mapping: CodableMapping<Parcel>(in: "parcels"))
        let someSheets = (0..<30).map { sheet($0) }
        let someParcels = (0..<10).map { _ in Parcel.random(using: &generator) }
        try await sheets.save(contentsOf: someSheets)
        try await parcels.save(contentsOf: someParcels)
        let sortedParcels = someParcels.sorted { $0.id.uuidString < $1.id.uuidString }
        for round in 0..<3 {
            #expect(try await sheets.list() == someSheets, "seed \(generator.seed), round \(round)")
            #expect(try await parcels.list() == sortedParcels, "seed \(generator.seed), round \(round)")
            for (sheet, parcel) in zip(someSheets, someParcels) {
                let (foundSheet, foundParcel) = (try await sheets.find(sheet.id), try await parcels.find(parcel.id))
                #expect(foundSheet == sheet && foundParcel == parcel, "seed \(generator.seed), round \(round)")
            }
            // An entity that cannot be decoded does not disturb the ones after it.
            try await store.put(["id": .string("0"), "width-of-left-margin": .string("wide")], "sheets", "0")
            let error = await #expect(throws: RepositoryError.self) { try await sheets.list() }
            #expect("\(try #require(error))".contains("width-of-left-margin"))
            try await sheets.delete("0")
        }
    }

    @Test("A second attempt to decode a record sees all of its fields")
    func secondAttempt() throws {
        struct Dog: Codable, Equatable { var id = "d", barkVolume = 1 }
        struct Cat: Codable, Equatable { var id = "c", whiskers = 2, miceCaught = 3 }
        enum Pet: Codable, Equatable {
            case dog(Dog), cat(Cat)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let dog = try? container.decode(Dog.self) {
                    self = .dog(dog)
                } else {
                    self = .cat(try container.decode(Cat.self))
                }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .dog(let dog): try container.encode(dog)
                case .cat(let cat): try container.encode(cat)
                }
            }
        }
        for pet in [Pet.dog(Dog()), .cat(Cat())] {
            #expect(try RecordDecoder().decode(Pet.self, from: try RecordEncoder().encode(pet)) == pet)
        }
    }

    /// Texts that are stored as an array, or as one mail address by an older program.
    private struct Addresses: Codable, Equatable {
        var all: [String]

        init(_ all: [String]) { self.all = all }

        init(from decoder: any Decoder) throws {
            all = []
            if let one = try? decoder.singleValueContainer().decode(MailAddress.self) {
                all = [one.text]
                return
            }
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { all.append(try list.decode(String.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(contentsOf: all)
        }
    }

    private struct Contact: Codable, Identifiable, Equatable {
        var id = 1
        var addresses: Addresses
    }

    @Test("A type may loop over an array after it has tried a single value")
    func arrayAfterSingleValue() async throws {
        let contacts = try DataStoreRepository(
            store: try StoreLocation(.memory).open(), mapping: CodableMapping<Contact>(in: "contacts"))
        for all in [["a", "b"], [], ["c"]] {
            try await contacts.save(Contact(addresses: Addresses(all)))
            #expect(try await contacts.find(1)?.addresses.all == all)
        }
        let old: Record = ["addresses": .string("vision@example.com"), "id": .integer(1)]
        #expect(try RecordDecoder().decode(Contact.self, from: old).addresses.all == ["vision@example.com"])
    }

    @Test("A single value is decoded regardless of other fields")
    func singleValueBesideOthers() throws {
        let record: Record = ["$value": .string("text"), "note": .integer(1)]
        #expect(try RecordDecoder().decode(String.self, from: record) == "text")
    }

    @Test("A container has the fields of its record only")
    func ownFields() throws {
        struct Extras: Decodable {
            var names: [String]
            var version: Int?

            init(from decoder: any Decoder) throws {
                let known = try decoder.container(keyedBy: Name.self)
                _ = try known.nestedContainer(keyedBy: Name.self, forKey: Name("meta"))
                let all = try decoder.container(keyedBy: Name.self)
                names = all.allKeys.map(\.stringValue)
                version = try all.decodeIfPresent(Int.self, forKey: Name("version"))
            }
        }
        let record: Record = ["id": .string("a"), "meta": .record(["version": .integer(2)])]
        let extras = try RecordDecoder().decode(Extras.self, from: record)
        #expect(extras.names == ["id", "meta"] && extras.version == nil)
    }

    @Test("A text that is not UTF-8 is an error and not the next field's name")
    func damagedText() throws {
        let bytes: [UInt8] = [0xA2, 0x61, 0x61, 0x61, 0xFF, 0x61, 0x62, 0x01]
        let encoded = EncodedRecord()
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe encoded.begin(buffer)
            defer { encoded.end() }
            let error = #expect(throws: DataStoreError.self) { try RecordView(encoded).value(of: "a") }
            #expect(error?.code == .corrupted)
        }
    }

    @Test("A damaged record is an error each time it is read")
    func damagedTwice() throws {
        let name = Array("aaaaaaa".utf8)
        let repeated: [UInt8] = [0xA2, 0x67] + name + [0x01, 0x67] + name + [0x01]
        for bytes: [UInt8] in [repeated, [0xA1], [0xA0, 0x00]] {
            let encoded = EncodedRecord()
            unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe encoded.begin(buffer)
                defer { encoded.end() }
                for _ in 0..<3 { #expect(throws: DataStoreError.self) { try encoded.fields() } }
            }
        }
    }

    @Test("Several nested containers of one key add to the same value")
    func nestedTwice() throws {
        struct Address: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Name.self)
                for name in ["city", "zip"] {
                    var place = container.nestedContainer(keyedBy: Name.self, forKey: Name("place"))
                    try place.encode("\(name)!", forKey: Name(name))
                    var tags = container.nestedUnkeyedContainer(forKey: Name("tags"))
                    try tags.encode(name)
                }
            }
        }
        let place: Record = ["city": .string("city!"), "zip": .string("zip!")]
        let expected: Record = ["place": .record(place), "tags": .array([.string("city"), .string("zip")])]
        #expect(try RecordEncoder().encode(Address()) == expected)
    }

    /// Keeps a container, as wrappers of a decoder do.
    private struct Kept: Decodable {
        let container: KeyedDecodingContainer<Name>
        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Name.self) }
    }

    @Test("A nested value may keep its container until the whole record is decoded")
    func keptContainer() throws {
        struct Outer: Decodable {
            var values: [Int] = []

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Name.self)
                let first = try container.decode(Kept.self, forKey: Name("a"))
                let second = try container.nestedContainer(keyedBy: Name.self, forKey: Name("b"))
                for container in [first.container, second] {
                    values.append(try container.decode(Int.self, forKey: Name("x")))
                }
            }
        }
        let record: Record = ["a": .record(["x": .integer(1)]), "b": .record(["x": .integer(2)])]
        #expect(try RecordDecoder().decode(Outer.self, from: record).values == [1, 2])
        let error = #expect(throws: FieldError.self) { try RecordDecoder().decode(Kept.self, from: record) }
        #expect("\(try #require(error))".contains("decode all values in init(from:)"))
    }

    /// Leaks its container, as code with a decoder of its own could by mistake.
    ///
    /// - Safety: One test uses the property, one store after the other.
    private struct Leaky: Codable, Identifiable, Sendable {
        let id: String
        nonisolated(unsafe) static var container: KeyedDecodingContainer<Name>?

        init(id: String) { self.id = id }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            id = try container.decode(String.self, forKey: Name("id"))
            unsafe Leaky.container = container
        }
    }

    @Test("A leaked container finds nothing in a store")
    func leakedContainer() async throws {
        for kind in StoreLocation.Kind.allCases {
            let store = try StoreLocation(kind).open()
            let leaks = try DataStoreRepository(store: store, mapping: CodableMapping<Leaky>(in: "leaks"))
            try await store.put(["id": .string("a")], "leaks", "a")
            let error = await #expect(throws: RepositoryError.self) { try await leaks.find("a") }
            #expect("\(try #require(error))".contains("decode all values in init(from:)"))
            let container = try #require(unsafe Leaky.container)
            #expect(throws: (any Error).self) { try container.decode(Int.self, forKey: Name("id")) }
        }
    }

    /// An entity that stores nothing of the `userInfo` with which it was decoded.
    private struct Visitor: Codable, Identifiable, Sendable {
        static let key = CodingUserInfoKey(rawValue: "language")
        let id: String
        let language: String?

        private enum CodingKeys: CodingKey { case id }

        init(id: String) { (self.id, language) = (id, nil) }

        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
            language = Visitor.key.flatMap { decoder.userInfo[$0] as? String }
        }
    }

    @Test("Each mapping passes its own userInfo", arguments: StoreLocation.Kind.allCases)
    func userInfo(_ kind: StoreLocation.Kind) async throws {
        let store = try StoreLocation(kind).open()
        let key = try #require(Visitor.key)
        let languages: [String?] = ["de", nil, "ja", nil]
        let visitors = try languages.map { language in
            try DataStoreRepository(
                store: store,
                mapping: CodableMapping<Visitor>(in: "visitors", userInfo: language.map { [key: $0] } ?? [:]))
        }
        try await visitors[0].save(contentsOf: [Visitor(id: "a"), Visitor(id: "b")])
        for _ in 0..<2 {
            for (visitors, language) in zip(visitors, languages) {
                #expect(try await visitors.list().map(\.language) == [language, language])
            }
        }
    }

    @Test("A missing superclass part has no value")
    func missingSuper() throws {
        struct Part<Content: Decodable>: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Name.self)
                _ = try Content(from: try container.superDecoder(forKey: Name("missing")))
            }
        }
        func check<Content: Decodable>(_ type: Content.Type) {
            let error = #expect(throws: FieldError.self) { try RecordDecoder().decode(Part<Content>.self, from: [:]) }
            #expect(error?.underlying is DecodingError && "\(error as Any)".contains("has no value"), "\(type)")
        }
        check(Bool.self)
        check(Double.self)
        check(Int8.self)
        check(Date.self)
        check(String.self)
    }

    @Test("The path of an error is the path of the value that was not handled")
    func pathAfterHandledError() throws {
        struct Child: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Name.self)
                _ = try? container.decode(Birthday.self, forKey: Name("birthday"))
                let seats = try container.decode(Int.self, forKey: Name("seats"))
                guard seats > 0 else { throw ValidationError(.birthday, given: "0", rule: "no seats") }
            }
        }
        struct Parent: Decodable { var child: Child }
        let child: Record = ["birthday": .string("odd"), "seats": .integer(0)]
        let error = #expect(throws: FieldError.self) {
            try RecordDecoder().decode(Parent.self, from: ["child": .record(child)])
        }
        #expect(error?.name == "child")
    }
}
