import DataStoreCore
import DataStorePlist
import Testing
import TestScale

/// Tests with numbers at the limits of their types. No test may trap.
@Suite struct BoundsTests {
    private static let limits: [Int] = [
        .max, .max - 1, .min, -1, 1 << 62, 1 << 32, (1 << 32) - 1, .max / 2 + 1, .max / 8 + 1,
    ]

    @Test("Counts of objects at the limits of 64 bits are errors", arguments: limits)
    func counts(count: Int) throws {
        for marker: UInt8 in [0x4, 0x5, 0x6, 0xA, 0xB, 0xC, 0xD] {
            for bytes in [
                Samples.binary([Samples.container(0xD, [1, 2]), Samples.text("k"), Samples.head(marker, count)]),
                Samples.binary([Samples.head(marker, count)]),
                Samples.binary(records: [0]) { _ in [Samples.head(marker, count)] },
            ] {
                #expect(throws: PropertyListError.self) { try Samples.read(bytes) }
                for end in [bytes.count, bytes.count - 1, bytes.count - 32] { recover(Array(bytes.prefix(end))) }
            }
        }
    }

    @Test("References and offsets at the limits of 64 bits are errors", arguments: limits)
    func references(number: Int) {
        for referenceByteCount in 1...8 {
            var bytes = Array("bplist00".utf8) + [0xD1] + Samples.number(number, referenceByteCount)
            bytes += Samples.number(number, referenceByteCount)
            let table = bytes.count
            bytes += Samples.number(8, 8) + Samples.number(number, 8)
            bytes += [0, 0, 0, 0, 0, 0, 8, UInt8(referenceByteCount)]
            bytes += Samples.number(2, 8) + Samples.number(0, 8) + Samples.number(table, 8)
            #expect(throws: PropertyListError.self) { try Samples.read(bytes) }
            recover(bytes)
        }
    }

    @Test("Trailers at the limits of 64 bits are errors", arguments: limits)
    func trailers(number: Int) {
        let body = Array("bplist00".utf8) + [0xD0] + Samples.number(8, 8)
        for trailer in [
            Samples.trailer(count: number, table: 9), Samples.trailer(count: 1, root: number, table: 9),
            Samples.trailer(count: 1, table: number), Samples.trailer(count: number, root: number, table: number),
        ] {
            #expect(throws: PropertyListError.self) { try Samples.read(body + trailer) }
            recover(body + trailer)
        }
    }

    private func recover(_ bytes: [UInt8]) {
        // Only a crash matters here: the recovered contents may or may not be a store.
        _ = try? Samples.recover(bytes)
    }

    @Test(
        "Dates of all seconds are read back equal",
        arguments: [
            .min, .min + 1, -62_135_596_801, -62_135_596_800, -86_401, -86_400, -1, 0, 1, 978_307_200, 253_402_300_799,
            253_402_300_800, .max - 1, .max,
        ] as [Int64])
    func dates(seconds: Int64) throws {
        for nanoseconds: UInt32 in [0, 1, 999_999_999] {
            let date = try #require(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
            let record: Record = ["d": .date(date), "a": .array([.date(date)])]
            for format in [PlistDataStore.Format.xml, .binary] {
                #expect(try Samples.roundTrip([record], format) == [record])
            }
        }
    }

    @Test("Random dates are read back equal")
    func randomDates() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("random dates: seed \(seed)")
        var state = seed
        var records: [Record] = []
        for shift in 0..<1000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            records.append(["d": .date(Timestamp(seconds: Int64(bitPattern: state) >> Int64(shift % 64)))])
        }
        for format in [PlistDataStore.Format.xml, .binary] {
            #expect(try Samples.roundTrip(records, format) == records, "seed \(seed)")
        }
    }

    @Test(
        "Reals as dates are decoded or are errors",
        arguments: [.nan, .infinity, -.infinity, 1e300, -1e300, 9.3e18, -9.3e18, 9.2233720368547748e18, 0.5, -0.5])
    func realsAsDates(interval: Double) {
        let bytes = Samples.binary(records: [0]) { first in
            [
                Samples.container(0xD, [first + 1, first + 2]), Samples.text("d"),
                [0x33] + Samples.number(Int(bitPattern: UInt(interval.bitPattern)), 8),
            ]
        }
        let isRead = (try? Samples.read(bytes)) != nil
        #expect(isRead == (interval.magnitude < 9.2e18))
    }

    @Test("Integers of XML at the limits of 64 bits")
    func integers() throws {
        let valid: [(String, Int64)] = [
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("0x7FFFFFFFFFFFFFFF", .max),
            ("-0x8000000000000000", .min), (" +7 ", 7), ("-0X1f", -31),
        ]
        for (text, number) in valid { #expect(try integer(text) == number) }
        let invalid = ["9223372036854775808", "0x8000000000000000", "0x", "0x-5", "0x+5", "--5", "+-5", "", "1e3", "٣"]
        for text in invalid { #expect(throws: PropertyListError.self) { try integer(text) } }
    }

    private func integer(_ text: String) throws -> Int64? {
        let bytes = Samples.xml(
            "<key>c</key><dict><key>a</key><dict><key>n</key><integer>\(text)</integer></dict></dict>")
        guard case .integer(let number)? = try Samples.read(bytes).entries.first?.record["n"] else { return nil }
        return number
    }

    @Test("The deepest record is read back equal, whatever its innermost value")
    func deepestRecord() throws {
        let date = try #require(Timestamp(seconds: .min, nanoseconds: 1))
        let values: [Value] = [.date(date), .string("\u{1}"), .real(-0.0), .integer(1), .data([])]
        for innermost in values {
            var value = innermost
            for _ in 0..<Record.maximumDepth { value = .array([value]) }
            let record: Record = ["v": value]
            try record.validate()
            for format in [PlistDataStore.Format.xml, .binary] {
                #expect(try Samples.roundTrip([record], format) == [record])
            }
        }
    }

    @Test("Deeper nesting is an error")
    func deeperNesting() throws {
        for depth in [65, 66, 67, 70, TestScale.count(20_000, full: 100_000)] {
            let arrays = String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
            let text = "<key>c</key><dict><key>a</key><dict><key>x</key>\(arrays)</dict></dict>"
            #expect(throws: PropertyListError.self) { try Samples.read(Samples.xml(text)) }
            let bytes = Samples.binary(records: [0]) { first in
                [Samples.container(0xD, [first + 1, first + 2]), Samples.text("a")]
                    + (0..<depth).map { Samples.container(0xA, $0 == depth - 1 ? [] : [first + 3 + $0]) }
            }
            #expect(throws: PropertyListError.self) { try Samples.read(bytes) }
            #expect(try Samples.recover(bytes).losses.count == 1)
        }
    }
}
