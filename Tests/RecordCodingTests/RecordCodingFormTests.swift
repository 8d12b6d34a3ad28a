import DataStoreCore
import RecordCoding
import Testing
import UserProfileData

/// Tests with types that use all features of Codable in their own coding methods.
@Suite struct RecordCodingFormTests {
    private class Animal: Codable {
        var name: String
        init(name: String) { self.name = name }
    }

    private final class Dog: Animal, Identifiable, @unchecked Sendable {
        let id = "dog"
        var tricks: [String]

        private enum CodingKeys: String, CodingKey { case tricks }

        init(name: String, tricks: [String]) {
            self.tricks = tricks
            super.init(name: name)
        }

        required init(from decoder: any Decoder) throws {
            tricks = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .tricks)
            try super.init(from: try decoder.container(keyedBy: CodingKeys.self).superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(tricks, forKey: .tricks)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("A superclass is encoded as a nested record")
    func superclass() throws {
        let record = try RecordEncoder().encode(Dog(name: "Rex", tricks: ["sit"]))
        #expect(record == ["tricks": .array([.string("sit")]), "super": .record(["name": .string("Rex")])])
        let dog = try RecordDecoder().decode(Dog.self, from: record)
        #expect(dog.name == "Rex" && dog.tricks == ["sit"])
    }

    @Test("A save replaces the fields of a superclass and preserves unknown fields")
    func savedSuperclass() throws {
        let mapping = CodableMapping(Dog.self, in: "dogs")
        var old = try mapping.record(of: Dog(name: "Rex", tricks: ["sit"]), replacing: nil)
        old["colour"] = .string("red")
        let record = try mapping.record(of: Dog(name: "Max", tricks: []), replacing: old)
        #expect(
            record == [
                "tricks": .array([]), "super": .record(["name": .string("Max")]), "colour": .string("red"),
            ])
    }

    /// Nested containers, a value that is encoded twice, and an explicit nil.
    private struct Nest: Codable, Equatable {
        var numbers: [Int]
        var gap: Int?

        private enum Keys: String, CodingKey { case outer, inner, list, twice, gap }

        init(numbers: [Int]) { self.numbers = numbers }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let outer = try container.nestedContainer(keyedBy: Keys.self, forKey: .outer)
            var list = try outer.nestedUnkeyedContainer(forKey: .list)
            var inner = try list.nestedUnkeyedContainer()
            numbers = []
            while !inner.isAtEnd { numbers.append(try inner.decode(Int.self)) }
            let last = try list.nestedContainer(keyedBy: Keys.self)
            guard try last.decode(Bool.self, forKey: .inner), try list.decodeNil(), list.isAtEnd,
                try container.decode(Int.self, forKey: .twice) == 2, container.contains(.gap),
                try container.decodeNil(forKey: .gap), try String(from: container.superDecoder(forKey: .inner)) == "in",
                container.allKeys.count == 4
            else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not the encoded value"))
            }
            gap = try container.decodeIfPresent(Int.self, forKey: .gap)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .twice)
            var outer = container.nestedContainer(keyedBy: Keys.self, forKey: .outer)
            var list = outer.nestedUnkeyedContainer(forKey: .list)
            var inner = list.nestedUnkeyedContainer()
            for number in numbers { try inner.encode(number) }
            var last = list.nestedContainer(keyedBy: Keys.self)
            try last.encode(true, forKey: .inner)
            try list.encodeNil()
            try container.encode(2, forKey: .twice)
            try container.encodeNil(forKey: .gap)
            try "in".encode(to: container.superEncoder(forKey: .inner))
        }
    }

    @Test("Nested containers are records and arrays")
    func nestedContainers() throws {
        let nest = Nest(numbers: [1, 2, 3])
        let record = try RecordEncoder().encode(nest)
        #expect(record["twice"] == .integer(2))
        #expect(try RecordDecoder().decode(Nest.self, from: record) == nest)
    }

    private struct Empty: Codable, Equatable {}

    @Test("A type that encodes nothing is an empty record")
    func emptyRecord() throws {
        #expect(try RecordEncoder().encode(Empty()) == [:])
        #expect(
            try RecordDecoder().decode([Empty?].self, from: RecordEncoder().encode([Empty(), nil])) == [Empty(), nil])
    }

    private struct Asking: Codable {
        static let key = CodingUserInfoKey(rawValue: "key")
        var answer: String?

        init() {}
        init(from decoder: any Decoder) throws { answer = Asking.key.flatMap { decoder.userInfo[$0] as? String } }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Asking.key.flatMap { encoder.userInfo[$0] as? String })
        }
    }

    @Test("userInfo is passed to the types")
    func userInfo() throws {
        let key = try #require(Asking.key)
        var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
        encoder.userInfo = [key: "out"]
        decoder.userInfo = [key: "in"]
        #expect(try encoder.encode(Asking()) == ["$value": .string("out")])
        #expect(try decoder.decode(Asking.self, from: [:]).answer == "in")
    }
}
