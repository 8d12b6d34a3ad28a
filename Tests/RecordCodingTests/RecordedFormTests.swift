import DataStoreCore
import Foundation
import RecordCoding
import Testing
import UserProfileDomain

/// Tests of records in the encoding of earlier versions. If these literals change, stored records become unreadable.
@Suite struct RecordedFormTests {
    /// Expects that content is encoded as a recorded value, and that the value is decoded as the content.
    private func expect<Content: Codable & Equatable>(
        _ content: Content, as value: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let record: Record = ["field": value]
        #expect(try RecordEncoder().encode(["field": content]) == record, sourceLocation: sourceLocation)
        #expect(
            try RecordDecoder().decode([String: Content].self, from: record) == ["field": content],
            sourceLocation: sourceLocation)
        // A value that is not encoded as fields is stored under `$value`, optional or not.
        #expect(try RecordEncoder().encode(content) == ["$value": value], sourceLocation: sourceLocation)
        #expect(
            try RecordDecoder().decode(Content.self, from: ["$value": value]) == content, sourceLocation: sourceLocation
        )
        let list: Record = ["$value": .array([value, .record(["$null": .bool(true)])])]
        #expect(try RecordEncoder().encode([content, nil]) == list, sourceLocation: sourceLocation)
        #expect(
            try RecordDecoder().decode([Content?].self, from: list) == [content, nil], sourceLocation: sourceLocation)
    }

    private func date(_ seconds: Int64, _ nanoseconds: UInt32 = 0) throws -> Value {
        .date(try #require(Timestamp(seconds: seconds, nanoseconds: nanoseconds)))
    }

    @Test("Dates are stored as dates, or as seconds if nanoseconds are not exact")
    func dates() throws {
        try expect(Date(timeIntervalSince1970: 1_700_000_000.5), as: date(1_700_000_000, 500_000_000))
        try expect(Date(timeIntervalSinceReferenceDate: 0), as: date(978_307_200))
        try expect(Date(timeIntervalSinceReferenceDate: 8e8 + 1e-7), as: date(1_778_307_200, 119))
        try expect(Date(timeIntervalSinceReferenceDate: -63_114_076_800), as: date(-62_135_769_600))
        try expect(Date(timeIntervalSinceReferenceDate: 1e18), as: date(1_000_000_000_978_307_200))
        // A date that is not a whole number of nanoseconds is encoded as seconds since 2001.
        try expect(Date(timeIntervalSinceReferenceDate: -0.1), as: .real(-0.1))
        try expect(Date(timeIntervalSinceReferenceDate: .pi), as: .real(3.141592653589793))
        try expect(Date(timeIntervalSinceReferenceDate: 1e300), as: .real(1e300))
        try expect(Date(timeIntervalSinceReferenceDate: -.infinity), as: .real(-.infinity))
        #expect(
            try RecordDecoder().decode(Date.self, from: ["$value": .integer(5)])
                == Date(timeIntervalSinceReferenceDate: 5))
    }

    @Test("Instants are stored as dates")
    func instants() throws {
        try expect(Instant(seconds: -5, nanoseconds: 7), as: date(-5, 7))
        try expect(Instant(seconds: .max), as: date(.max))
    }

    @Test("Data and bytes are stored as data")
    func bytes() throws {
        try expect(Data([0, 1, 255]), as: .data([0, 1, 255]))
        try expect(Data(), as: .data([]))
        try expect(Data([0, 1, 255])[1...], as: .data([1, 255]))
        try expect([1, 2] as [UInt8], as: .data([1, 2]))
        try expect([] as [UInt8], as: .data([]))
        // Arrays of other types are encoded as arrays, even if they are empty.
        try expect([] as [Int8], as: .array([]))
        let array: Record = ["$value": .array([.integer(1)])]
        #expect(try RecordDecoder().decode(Data.self, from: array) == Data([1]))
        #expect(try RecordDecoder().decode([UInt8].self, from: array) == [1])
    }

    @Test(
        "Decimals are stored as their digits",
        arguments: [
            "0", "12", "-0.00000000000000000000001", "12345678901234567890.125",
            "99999999999999999999999999999999999999",
            "1" + String(repeating: "0", count: 127), "0." + String(repeating: "0", count: 126) + "1",
        ])
    func decimals(_ digits: String) throws {
        try expect(try #require(Decimal(string: digits)), as: .string(digits))
    }

    @Test("A decimal that is not a number is stored as its fields")
    func decimalNaN() throws {
        let record: Record = [
            "length": .integer(0), "exponent": .integer(0), "isNegative": .bool(true), "isCompact": .bool(false),
            "mantissa": .array(Array(repeating: .integer(0), count: 8)),
        ]
        #expect(try RecordEncoder().encode(Decimal.nan) == record)
        #expect(try RecordDecoder().decode(Decimal.self, from: record).isNaN)
    }

    @Test("A decimal is read from any spelling of its number, and from an integer")
    func spelledDecimals() throws {
        for text in ["120.0", "0.0", "-3.0", "1e+20", "1e-07", "+1", "01", ".5"] {
            let number = try RecordDecoder().decode(Decimal.self, from: ["$value": .string(text)])
            #expect(number == Decimal(string: text), "\(text)")
        }
        #expect(try RecordDecoder().decode(Decimal.self, from: ["$value": .integer(.min)]) == Decimal(Int64.min))
        #expect(Value.decimal(120) == .string("120") && Value.decimal(Decimal(12050) / 100) == .string("120.5"))
    }

    @Test(
        "A text that is not a decimal is an error, and so is a number with more digits than a decimal has",
        arguments: [" 1", "1,5", "NaN", "1x", "", "1e200", "1234567890123456789012345678901234567890.1234567890"])
    func invalidDecimals(_ text: String) {
        #expect(throws: (any Error).self) {
            try RecordDecoder().decode(Decimal.self, from: ["$value": .string(text)])
        }
    }

    @Test(
        "URLs are stored as texts",
        arguments: [
            "https://example.com/a?b=c", "https://xn--wgv71a.jp/%C3%BC?x=%C3%BC", "file:///tmp/a%20b",
            "mailto:vision@example.com", "relative/path", "http://[::1]:80/", "https://example.com/%25zz",
        ])
    func urls(_ text: String) throws {
        try expect(try #require(URL(string: text)), as: .string(text))
    }

    @Test("URLs with a base are stored with the base")
    func relativeURLs() throws {
        let base = try #require(URL(string: "https://example.com/"))
        let url = try #require(URL(string: "a", relativeTo: base))
        #expect(
            try RecordEncoder().encode(["field": url]) == [
                "field": .record(["relative": .string("a"), "base": .string("https://example.com/")])
            ])
        // The base URL in its Codable encoding, as older programs wrote it.
        let codableBase: Value = .record(["relative": .string("https://example.com/")])
        for base in [Value.string("https://example.com/"), codableBase] {
            let record: Record = ["relative": .string("a"), "base": base]
            #expect(try RecordDecoder().decode(URL.self, from: record) == url)
        }
    }

    @Test("UUIDs are stored as texts")
    func uuids() throws {
        let id = try #require(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"))
        try expect(id, as: .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let record: Record = ["$value": .string("e621e1f8-c36c-495a-93fc-0c247a3e6e5f")]
        #expect(try RecordDecoder().decode(UUID.self, from: record) == id)
    }
}
