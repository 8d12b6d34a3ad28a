import DataStoreCore
import Testing

@Suite struct RecordTests {
    @Test("Fields are in the order of a deterministic CBOR map")
    func order() throws {
        let names = ["b", "aa", "", "é", "a", "zz", "e\u{301}"].filter { !$0.isEmpty }
        let record = try Record(names.map { ($0, .bool(true)) })
        // By length in UTF-8, then by bytes (RFC 8949, section 4.2.1).
        #expect(record.map(\.name) == ["a", "b", "aa", "zz", "é", "e\u{301}"])
    }

    @Test("Records with the same fields are equal, regardless of the order of creation")
    func buildingOrder() throws {
        var built = Record()
        built["second"] = .integer(2)
        built["first"] = .integer(1)
        #expect(built == ["first": .integer(1), "second": .integer(2)])
        #expect(built.hashValue == (["second": .integer(2), "first": .integer(1)] as Record).hashValue)
    }

    @Test("Assigning replaces a field, and assigning nil removes it")
    func assignment() {
        var record: Record = ["a": .integer(1), "b": .integer(2)]
        record["a"] = .string("x")
        #expect(record["a"] == .string("x"))
        record["a"] = nil
        record["c"] = nil
        #expect(record == ["b": .integer(2)])
        #expect(record["a"] == nil)
    }

    @Test("A record of many fields finds, replaces and removes each")
    func manyFields() throws {
        let names = (0..<100).map { "f\($0 * 37 % 100)" }
        var record = Record()
        for name in names { record[name] = .string(name) }
        #expect(record.count == 100 && names.allSatisfy { record[$0] == .string($0) })
        #expect(record["f100"] == nil && record[""] == nil && record["e5"] == nil)
        for name in names.prefix(50) { record[name] = nil }
        record["f100"] = nil
        #expect(record == (try Record(names.suffix(50).map { ($0, .string($0)) })))
    }

    @Test("Names are compared by their bytes")
    func names() {
        var record: Record = ["\u{E9}": .integer(1)]
        #expect(record["e\u{301}"] == nil)
        record["e\u{301}"] = .integer(2)
        #expect(record.count == 2)
        // The Kelvin sign is canonically equivalent to an ASCII letter.
        #expect((["K": .bool(true)] as Record)["\u{212A}"] == nil)
    }

    @Test(
        "A repeated or empty name is an error",
        arguments: [[("a", Value.bool(true)), ("a", .bool(false))], [("", .bool(true))]])
    func invalidNames(_ namedValues: [(String, Value)]) {
        #expect { try Record(namedValues) } throws: { ($0 as? DataStoreError)?.code == .invalidRecord }
    }

    @Test("Equality compares types, bits and bytes, and all NaNs are equal")
    func equality() {
        #expect(Value.real(.nan) == .real(-.nan))
        #expect(Value.real(0.0) != .real(-0.0))
        #expect(Value.real(1) != .integer(1))
        #expect(Value.string("\u{E9}") != .string("e\u{301}"))
        #expect(Value.array([.real(.nan)]).hashValue == Value.array([.real(.signalingNaN)]).hashValue)
    }
}
