import DataStoreCore
import DataStoreTesting
import DataTesting
import Foundation
import RecordCoding
import Testing
import UserProfileData
import UserProfileDomain

/// Tests of Codable values that are encoded as records and decoded again, on every store.
@Suite struct RecordCodingTests {
    @Test("A sealed field needs its key")
    func sealed() throws {
        struct Patient: Codable, Identifiable {
            struct Visit: Codable { let notes: [String] }
            let id: String
            var visit: Visit?
        }
        for visit in [Value.sealed([1]), .record(["notes": .sealed([1])])] {
            let record: Record = ["id": .string("1"), "visit": visit]
            let error = #expect(throws: DataStoreError.self) {
                try Patient.mapping(in: "patients").entity(of: RecordView(record), id: "1")
            }
            #expect(error?.code == .missingSealingKey && error?.description.contains("visit") == true)
        }
    }

    @Test("A value is decoded as it was encoded", arguments: StoreLocation.Kind.allCases)
    func roundTrip(_ kind: StoreLocation.Kind) async throws {
        var generator = SeededGenerator()
        print("Codable values: seed \(generator.seed)")
        let location = try StoreLocation(kind)
        let parcels = (0..<60).map { _ in Parcel.random(using: &generator) }
        let records = try parcels.map { try RecordEncoder().encode($0) }
        let store = try location.open()
        try await store.write { transaction in
            for (index, record) in records.enumerated() {
                try transaction.put(record, for: try Key(collection: "parcels", id: "\(index)"))
            }
        }
        if kind != .memory { await store.close() }
        let again = try location.open()
        for (index, parcel) in parcels.enumerated() {
            let stored = try #require(try await again.record("parcels", "\(index)"))
            let decoded = try RecordDecoder().decode(Parcel.self, from: stored)
            #expect(decoded == parcel, "seed \(generator.seed), value \(index)")
            // `==` ignores the sign of zero and the Unicode normalization form, so both are compared separately.
            #expect(decoded.real.sign == parcel.real.sign)
            #expect(Array(decoded.text.utf8) == Array(parcel.text.utf8))
        }
    }

    @Test("Random values of a type are decoded as they were encoded", arguments: CodedSamples.all)
    func samples(_ sample: CodedSamples.Sample) throws {
        let seed = SeededGenerator().seed
        var generator = SampleGenerator(state: seed)
        for number in 0..<100 {
            let (record, isEqual) = try sample.coded(&generator)
            if !isEqual { Issue.record("seed \(seed), value \(number): \(record)") }
        }
    }

    @Test("Random values of a type have the recorded encoding", arguments: CodedSamples.all)
    func recordedSamples(_ sample: CodedSamples.Sample) throws {
        guard let recorded = sample.digest else { return }
        var generator = SampleGenerator(state: 1)
        // FNV-1a of the bytes of all records.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for _ in 0..<100 {
            let record = EncodedRecord(try sample.coded(&generator).record)
            for byte in record.copiedBytes(in: 0..<record.byteCount) {
                digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        #expect(digest == recorded, "\(String(digest, radix: 16))")
    }

    @Test("The time of a dictionary with many keys is not quadratic", .timeLimit(.minutes(1)))
    func manyKeys() throws {
        let keys = (0..<100_000).map { "key \($0)" }
        let numbers = Dictionary(keys.shuffled().map { ($0, $0.utf8.count) }) { first, _ in first }
        let record = try RecordEncoder().encode(["numbers": numbers])
        #expect(try RecordDecoder().decode([String: [String: Int]].self, from: record) == ["numbers": numbers])
    }

    @Test("A record has the structure of the JSON of the same value")
    func jsonForm() throws {
        var generator = SeededGenerator()
        print("Codable values beside JSON: seed \(generator.seed)")
        for _ in 0..<200 {
            let parcel = Parcel.random(using: &generator, isPlain: true)
            let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(parcel))
            let record = try RecordEncoder().encode(parcel)
            #expect(comparable(json) == comparable(record.json), "seed \(generator.seed)")
        }
    }

    /// Returns a JSON value without the fields that JSON represents differently.
    private func comparable(_ json: Any) -> NSObject {
        switch json {
        case let fields as [String: Any]:
            let kept = fields.filter { !["data", "bytes", "date"].contains($0.key) }
            return NSDictionary(dictionary: kept.mapValues(comparable))
        case let elements as [Any]: return NSArray(array: elements.map(comparable))
        case let text as String: return NSString(string: text)
        case let number as NSNumber: return number
        case let number as Int64: return NSNumber(value: number)
        case let number as Double: return NSNumber(value: number)
        case let flag as Bool: return NSNumber(value: flag)
        default: return NSNull()
        }
    }

    @Test("Numbers, nil, keys, data and dates have defined forms in a record")
    func kinds() throws {
        let parcel = Parcel(
            huge: .max, wide: 5, gaps: [1, nil], byName: ["": 1, "$null": nil], data: Data([1, 2]), bytes: [3],
            date: Date(timeIntervalSince1970: 1.5))
        let record = try RecordEncoder().encode(parcel)
        #expect(record["huge"] == .string("18446744073709551615"))
        #expect(record["wide"] == .integer(5))
        #expect(record["gaps"] == .array([.integer(1), .record(["$null": .bool(true)])]))
        #expect(record["byName"] == .record(["$": .integer(1), "$$null": .record(["$null": .bool(true)])]))
        #expect(record["data"] == .data([1, 2]) && record["bytes"] == .data([3]))
        #expect(record["date"] == Timestamp(seconds: 1, nanoseconds: 500_000_000).map { .date($0) })
        #expect(record["note"] == nil)
        #expect(try RecordDecoder().decode(Parcel.self, from: record) == parcel)
    }

    @Test("A value without fields is a record of one field")
    func singleValues() throws {
        func check<Content: Codable & Equatable>(_ content: Content, _ value: Value) throws {
            let record = try RecordEncoder().encode(content)
            #expect(record == ["$value": value])
            #expect(try RecordDecoder().decode(Content.self, from: record) == content)
        }
        try check("text", .string("text"))
        try check([1, 2], .array([.integer(1), .integer(2)]))
        try check(Parcel.Size.large, .string("large"))
        try check(Int?.none, .record(["$null": .bool(true)]))
        try check(Date(timeIntervalSince1970: 3), .date(Timestamp(seconds: 3)))
        try check(Instant(seconds: -5, nanoseconds: 7), .date(try #require(Timestamp(seconds: -5, nanoseconds: 7))))
    }

    @Test("Numbers are decoded bit by bit")
    func numbers() throws {
        let record = try RecordEncoder().encode(["a": Double.nan, "b": -0.0, "c": .infinity])
        let decoded = try RecordDecoder().decode([String: Double].self, from: record)
        #expect(decoded["a"]?.isNaN == true && decoded["b"]?.sign == .minus && decoded["c"] == .infinity)
        #expect(
            try RecordDecoder().decode([String: Float].self, from: ["a": .real(0.1), "b": .integer(6)])["a"] == 0.1)
    }

    @Test(
        "Dates are decoded bit by bit",
        arguments: [
            0, 1.5, 0.1, -0.1, 1e-12, .pi, 8e8 + 1e-7, -63_114_076_800, 6.4e10, 1e18, 1e300, .infinity, -.infinity,
        ])
    func dates(_ interval: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        let record = try RecordEncoder().encode(["date": date])
        #expect(try RecordDecoder().decode([String: Date].self, from: record) == ["date": date])
    }

    @Test("Types of Foundation have a readable form")
    func foundationTypes() throws {
        struct Shown: Codable, Equatable {
            var url = URL(string: "https://example.com/a?b=c")
            var relative = URL(string: "a", relativeTo: URL(string: "https://example.com/"))
            var price = Decimal(string: "12345678901234567890.125")
            var none = Decimal.nan
        }
        let record = try RecordEncoder().encode(Shown())
        #expect(record["url"] == .string("https://example.com/a?b=c"))
        #expect(record["price"] == .string("12345678901234567890.125"))
        let decoded = try RecordDecoder().decode(Shown.self, from: record)
        #expect(decoded.url == Shown().url && decoded.relative == Shown().relative && decoded.price == Shown().price)
        #expect(decoded.none.isNaN)
    }

    @Test("Values of the domain are encoded as their text")
    func domainValues() throws {
        struct Guest: Codable, Equatable {
            let address: MailAddress
            let birthday: Birthday
            let day: MonthDay
            let city: CityCode
            let user: UserID
            let warmth: Temperature
            let seen: Instant
        }
        let guest = Guest(
            address: try MailAddress("Vision@example.com"), birthday: try Birthday("2011-08-01"),
            day: try MonthDay("08-01"), city: try CityCode("130010"), user: .me,
            warmth: try Temperature(celsius: 21.5), seen: Instant(seconds: 5))
        let record = try RecordEncoder().encode(guest)
        #expect(
            record == [
                "address": .string("Vision@example.com"), "birthday": .string("2011-08-01"), "day": .string("08-01"),
                "city": .string("130010"), "user": .string("me"), "warmth": .real(21.5),
                "seen": .date(Timestamp(seconds: 5)),
            ])
        #expect(try RecordDecoder().decode(Guest.self, from: record) == guest)
        #expect(try JSONDecoder().decode(Guest.self, from: try JSONEncoder().encode(guest)) == guest)
    }
}

extension Value {
    /// The value in the form of `JSONSerialization`.
    fileprivate var json: Any {
        switch self {
        case .string(let text): text
        case .integer(let number): number
        case .real(let number): number
        case .bool(let flag): flag
        case .date, .data, .sealed: NSNull()
        case .array(let values): values.map(\.json)
        case .record(let record): record == ["$null": .bool(true)] ? NSNull() : record.json
        }
    }
}

extension Record {
    /// The record in the form of `JSONSerialization`, with the original names of the keys.
    fileprivate var json: Any {
        var fields: [String: Any] = [:]
        for field in self {
            fields[field.name.hasPrefix("$") ? String(field.name.dropFirst()) : field.name] = field.value.json
        }
        return fields
    }
}
