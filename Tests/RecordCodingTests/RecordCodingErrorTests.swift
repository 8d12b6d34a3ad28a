import DataStoreCore
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of the errors for values and records that do not match.
@Suite struct RecordCodingErrorTests {
    private struct Letter: Codable, Sendable {
        struct Line: Codable, Sendable {
            var text: String
            var size: UInt8
            var kind: Kind?
        }
        enum Kind: String, Codable, Sendable { case plain }
        var lines: [Line]
        var birthday: Birthday?
        var byNumber: [Int: Bool]?
        var text: String?
    }

    private static func letter(_ line: Record) -> Record {
        ["lines": .array([.record(["text": .string("a"), "size": .integer(1)]), .record(line)])]
    }

    private static let mistakes: [(Record, String)] = [
        (letter(["size": .integer(1)]), "the field lines[1].text is missing"),
        (
            letter(["text": .integer(7), "size": .integer(1)]),
            "the field lines[1].text is not of type String: the value is 7"
        ),
        (
            letter(["text": .string(""), "size": .integer(300)]),
            "the field lines[1].size is not of type UInt8: the value is 300"
        ),
        (
            letter(["text": .string(""), "size": .string("5")]),
            "size is not of type UInt8: the value has the kind string"
        ),
        (letter(["text": .string(""), "size": .real(1)]), "size is not of type UInt8: the value has the kind real"),
        (
            letter(["text": .string(""), "size": .record(["$null": .bool(true)])]),
            "the field lines[1].size has no value, expected UInt8"
        ),
        (
            letter(["text": .string(""), "size": .integer(1), "kind": .string("odd")]),
            "the field lines[1].kind is rejected: Cannot initialize Kind"
        ),
        (["lines": .record([:])], "the field lines is not of type Array<Value>: the value has the kind record"),
        (["lines": .array([.bool(true)])], "the field lines[0] is not of type Record: the value has the kind bool"),
        ([:], "the field lines is missing; if older records lack it, make it optional"),
        (
            ["lines": .array([]), "birthday": .string("1990-1-1")],
            "the field birthday is rejected: \"1990-1-1\" is not"
        ),
        (["lines": .array([]), "byNumber": .record(["5": .string("")])], "the field byNumber[5] is not of type Bool"),
    ]

    @Test("A decoding error names the field and has the cause", arguments: mistakes)
    func decodingError(_ record: Record, _ message: String) throws {
        let error = #expect(throws: FieldError.self) { try RecordDecoder().decode(Letter.self, from: record) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        #expect(error?.underlying is DecodingError || error?.underlying is ValidationError)
    }

    @Test("An error that a type handles does not hide a later one")
    func handledError() throws {
        /// Treats an invalid birthday as missing, and rejects every letter.
        struct Picky: Decodable {
            init(from decoder: any Decoder) throws {
                let values = try decoder.singleValueContainer().decode([String: Tolerant].self)
                guard values["b"]?.birthday != nil else { throw ValidationError(.birthday, given: "b", rule: "none") }
            }
        }
        struct Tolerant: Decodable {
            var birthday: Birthday?
            init(from decoder: any Decoder) throws { birthday = try? Birthday(from: decoder) }
        }
        struct Outer: Decodable { var inner: Picky }
        let error = #expect(throws: FieldError.self) {
            try RecordDecoder().decode(Outer.self, from: ["inner": .record(["a": .string("odd")])])
        }
        #expect(error?.name == "inner")
    }

    /// A chain of a given depth.
    private indirect enum Chain: Codable {
        case end
        case link(Chain)

        static func deep(_ count: Int) -> Chain { (0..<count).reduce(.end) { chain, _ in .link(chain) } }
    }

    /// A chain that is not nested in the record, because each link is encoded as a single value.
    private final class Onion: Codable {
        let inner: Onion?
        init(_ inner: Onion?) { self.inner = inner }
        init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode(Onion.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let inner { try container.encode(inner) } else { try container.encode(1) }
        }
    }

    /// A chain with a list at its end.
    private final class Rope: Codable {
        let next: Rope?
        let texts: [String]?
        let numbers: [Int?]?

        init(texts: [String]? = nil, numbers: [Int?]? = nil, next: Rope? = nil) {
            (self.texts, self.numbers, self.next) = (texts, numbers, next)
        }

        static func long(_ count: Int, _ end: Rope) -> Rope { (0..<count).reduce(end) { rope, _ in Rope(next: rope) } }
    }

    @Test("A list at the end of a record that is too deep is an error")
    func depthOfLists() throws {
        let limit = Record.maximumDepth
        for (end, depth) in [(Rope(texts: ["a"]), 1), (Rope(numbers: [1]), 1), (Rope(numbers: [nil]), 2)] {
            try RecordEncoder().encode(Rope.long(limit - depth, end)).validate()
            #expect(throws: FieldError.self) { try RecordEncoder().encode(Rope.long(limit - depth + 1, end)) }
        }
    }

    @Test("Nesting that is too deep is an error")
    func depth() throws {
        // Each link adds two nested records.
        let deep = try RecordEncoder().encode(Chain.deep(31))
        try deep.validate()
        _ = try RecordDecoder().decode(Chain.self, from: deep)
        for count in [32, 33, 100, 5_000] {
            let error = #expect(throws: FieldError.self) { try RecordEncoder().encode(Chain.deep(count)) }
            #expect(error?.reason.contains("nested") == true && error?.name.contains("link._0.link") == true)
            #expect(error?.underlying is EncodingError)
        }
        let onion = (0..<5_000).reduce(Onion(nil)) { onion, _ in Onion(onion) }
        #expect(throws: FieldError.self) { try RecordEncoder().encode(onion) }
        #expect(throws: FieldError.self) { try RecordDecoder().decode(Onion.self, from: ["a": .integer(1)]) }
    }

    private struct Doubled: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .one)
            var single = encoder.singleValueContainer()
            try single.encode(2)
        }
        enum Keys: String, CodingKey { case one }
    }

    @Test("A type that encodes two values is an error")
    func encodedTwice() throws {
        let error = #expect(throws: FieldError.self) { try RecordEncoder().encode(["a": [Doubled()]]) }
        #expect(error?.name == "a[0]" && error?.reason.contains("two values") == true)
    }
}
